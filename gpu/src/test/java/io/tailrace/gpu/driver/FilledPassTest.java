package io.tailrace.gpu.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceOutcome;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.LaneFiles;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.gpu.PassInputs;
import io.tailrace.gpu.PassInputs.Seat;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.testkit.Cases;
import io.tailrace.testkit.StandInDriver;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pass whose inputs the device completes: drafts reach the model without the host, and a step waits once. */
class FilledPassTest {
    private static final int LANE = 2;
    private static final int VOCABULARY = 24;
    private static final int UNTOUCHED = 77;

    @TempDir
    Path folder;

    @BeforeEach
    void load() throws Exception {
        assumeTrue(StandInDriver.load(), "g++ is not installed (Debian: apt-get install g++)");
    }

    @Test
    void rowsBecomeTheDraftsAndPaddingSeesOnlyItself() {
        Cases.forEachSeed(40, seed -> {
            Random random = new Random(seed);
            int budgetMax = List.of(16, 32, 64).get((int) seed % 3);
            try (CudaDevice device = new CudaDevice(0, new DeviceLimits(4, 300, 4, budgetMax));
                    LaneFiles lane = lane(random)) {
                device.publish(LANE, lane.image(Mixer.defaults().weights()));
                int[] slots = {2, DraftDevice.NONE, 0};
                device.add(new int[] {2, 0}, new int[][] {text(random, 80), text(random, 3)});
                Plan plan = new Plan(random, slots.length, budgetMax);
                try (Plan.OnDevice memory = plan.on(device)) {
                    draft(device, slots, budgetMax);
                    device.fill(memory.inputs("cuda:0"));
                    check(plan, memory.read(), device.drafts());
                }
            }
        });
    }

    @Test
    void aStepWaitsOnceAndTheHostLearnsWhatWasDraftedAndAccepted() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(2, 300, 2, 16));
                LaneFiles lane = new LaneFiles(folder)) {
            lane.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 4, 5, 6, 7}));
            device.publish(LANE, lane.image(Mixer.defaults().weights()));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            Plan plan = Plan.of(new Seat(0, 0, 3, 3, 2));
            try (Plan.OnDevice memory = plan.on(device);
                    DeviceMemory logits = device.reserve(4L * VOCABULARY * Float.BYTES)) {
                ByteBuffer rows = bytes(4 * VOCABULARY * Float.BYTES);
                for (int row = 0; row < 4; row++) {
                    rows.putFloat(Float.BYTES * (row * VOCABULARY + 4 + row), 1);
                }
                logits.upload(0, rows);
                int before = StandInDriver.waits();
                draft(device, new int[] {0}, 16);
                device.fill(memory.inputs("cuda:0"));
                LogitsRows where = new LogitsRows(logits.address(), VOCABULARY, new int[] {0});
                device.verify(where, List.of(SamplingRule.GREEDY));
                assertThat(StandInDriver.waits()).isEqualTo(before);
                List<DeviceOutcome> outcomes = device.outcomes();
                assertThat(StandInDriver.waits()).isEqualTo(before + 1);
                assertThat(tokens(outcomes.get(0).draft())).containsExactly(4, 5, 6);
                assertThat(outcomes.get(0).verdict().tokens()).containsExactly(4, 5, 6, 7);
                assertThat(outcomes.get(0).verdict().keptRows()).containsExactly(0, 1, 2, 3);
            }
        }
        assertThat(StandInDriver.held()).isZero();
    }

    @Test
    void inputsInTheHostsMemoryAreWrittenWhenTheCallReturns() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(2, 300, 2, 16));
                LaneFiles lane = new LaneFiles(folder)) {
            lane.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 4, 5, 6, 7}));
            device.publish(LANE, lane.image(Mixer.defaults().weights()));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            try (Plan.OnDevice memory = Plan.of(new Seat(0, 0, 2, 2, 2)).on(device)) {
                draft(device, new int[] {0}, 16);
                int before = StandInDriver.waits();
                device.fill(memory.inputs("cpu"));
                assertThat(StandInDriver.waits()).isEqualTo(before + 1);
                ByteBuffer inputs = memory.read();
                assertThat(List.of(inputs.getLong(0), inputs.getLong(8))).containsExactly(4L, 5L);
                assertThat(List.of(inputs.getLong(16), inputs.getLong(24))).containsExactly(3L, 4L);
                assertThat(new byte[] {inputs.get(32), inputs.get(33), inputs.get(34), inputs.get(35)})
                        .containsExactly(0, 1, 0, 0);
            }
        }
    }

    @Test
    void tokensOutsideTheModelsVocabularyAreNotShownToIt() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(2, 300, 2, 16));
                LaneFiles lane = new LaneFiles(folder)) {
            lane.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, VOCABULARY, 5}));
            device.publish(LANE, lane.image(Mixer.defaults().weights()));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            try (Plan.OnDevice memory = Plan.of(new Seat(0, 0, 1, 1, 2)).on(device)) {
                draft(device, new int[] {0}, 16);
                device.fill(memory.inputs("cuda:0"));
                assertThat(tokens(device.drafts().get(0))).containsExactly(VOCABULARY);
                assertThat(memory.read().getLong(0)).isZero();
            }
        }
    }

    @Test
    void whatCannotBeWrittenIsRefused() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 100, 1, 16));
                LaneFiles lane = lane(new Random(1))) {
            device.publish(LANE, lane.image(Mixer.defaults().weights()));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            draft(device, new int[] {0}, 16);
            assertThatThrownBy(() -> device.fill(inputs("cuda:1", new Seat(0, 0, 1, 1, 2))))
                    .hasMessage("stand-in cannot write memory of cuda:1");
            assertThatThrownBy(() -> device.fill(inputs("cuda:0", new Seat(0, 0, 17, 17, 2))))
                    .hasMessage("a seat of 17 rows is wider than 16");
            int grown = device.drafts().get(0).size();
            try (Plan.OnDevice memory = Plan.of(Seat.NONE).on(device)) {
                device.fill(memory.inputs("cuda:0"));
                DeviceDraft cut = device.drafts().get(0);
                assertThat(cut.size()).isZero();
                assertThat(cut.grown()).isEqualTo(grown).isPositive();
                assertThat(cut.probabilityGrown(0)).isPositive();
            }
        }
    }

    private static void check(Plan plan, ByteBuffer inputs, List<DeviceDraft> drafts) {
        ByteBuffer expected = plan.untouched();
        for (int entry = 0; entry < drafts.size(); entry++) {
            Seat seat = plan.seats.get(entry);
            DeviceDraft draft = drafts.get(entry);
            assertThat(draft.size()).isLessThanOrEqualTo(seat.width());
            for (int node = 0; node < seat.width(); node++) {
                boolean drafted = node < draft.size();
                int depth = 1;
                for (int at = drafted ? draft.parent(node) : -1; at >= 0; at = draft.parent(at)) {
                    depth++;
                }
                expected.putLong((seat.row() + node) * Long.BYTES, drafted ? draft.token(node) : 0);
                expected.putLong((plan.rows + seat.row() + node) * Long.BYTES, seat.position() + depth);
                for (int other = 0; other < seat.width(); other++) {
                    int cell = (int) seat.cell() + node * seat.columns() + other;
                    boolean seen = node == other || (drafted && isAncestor(draft, other, node));
                    expected.put(2 * plan.rows * Long.BYTES + cell, (byte) (seen ? 0 : 1));
                }
            }
        }
        assertThat(inputs).isEqualTo(expected);
    }

    private static boolean isAncestor(DeviceDraft draft, int other, int node) {
        for (int at = node; at >= 0; at = draft.parent(at)) {
            if (at == other) {
                return true;
            }
        }
        return false;
    }

    private static void draft(CudaDevice device, int[] slots, int budget) {
        int[] lanes = new int[slots.length];
        Arrays.fill(lanes, LANE);
        int[] budgets = new int[slots.length];
        Arrays.fill(budgets, budget);
        device.draft(slots, lanes, budgets);
    }

    private static int[] tokens(DeviceDraft draft) {
        return IntStream.range(0, draft.size()).map(draft::token).toArray();
    }

    private static PassInputs inputs(String memory, Seat seat) {
        return new PassInputs(memory, 1, 2, 3, VOCABULARY, List.of(seat));
    }

    private LaneFiles lane(Random random) throws Exception {
        LaneFiles lane = new LaneFiles(folder);
        for (SourceKind kind : List.of(SourceKind.OLDER, SourceKind.NEWEST)) {
            lane.add(
                    kind, IntStream.range(0, 12).mapToObj(i -> text(random, 50)).toList());
        }
        return lane;
    }

    private static int[] text(Random random, int length) {
        return random.ints(length, 0, 5).toArray();
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocateDirect(count).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A pass's inputs with seats at random places: token ids, positions, then cells. */
    private static final class Plan {
        private final List<Seat> seats;
        private final int rows;
        private final int cells;

        private Plan(List<Seat> seats, int rows, int cells) {
            this.seats = seats;
            this.rows = rows;
            this.cells = cells;
        }

        static Plan of(Seat seat) {
            return new Plan(List.of(seat), Math.max(1, seat.width()), Math.max(1, seat.width() * seat.columns()));
        }

        Plan(Random random, int entries, int budgetMax) {
            List<Seat> all = new ArrayList<>();
            int row = 0;
            int cell = 0;
            for (int i = 0; i < entries; i++) {
                row += random.nextInt(3);
                cell += random.nextInt(5);
                int width = random.nextInt(budgetMax + 1);
                int columns = width + random.nextInt(7);
                all.add(new Seat(cell, row, width, columns, random.nextInt(100)));
                row += width;
                cell += width * columns;
            }
            seats = Collections.unmodifiableList(all);
            rows = row + 1;
            cells = cell + 1;
        }

        ByteBuffer untouched() {
            ByteBuffer all = bytes(2 * rows * Long.BYTES + cells);
            for (int i = 0; i < all.capacity(); i++) {
                all.put(i, (byte) UNTOUCHED);
            }
            return all;
        }

        OnDevice on(CudaDevice device) {
            return new OnDevice(device);
        }

        private final class OnDevice implements AutoCloseable {
            private final DeviceMemory memory;

            OnDevice(CudaDevice device) {
                memory = device.reserve(untouched().capacity());
                memory.upload(0, untouched());
            }

            PassInputs inputs(String owner) {
                long positions = memory.address() + (long) rows * Long.BYTES;
                long blocked = positions + (long) rows * Long.BYTES;
                return new PassInputs(owner, memory.address(), positions, blocked, VOCABULARY, seats);
            }

            ByteBuffer read() {
                ByteBuffer all = untouched();
                memory.download(0, all);
                return all;
            }

            @Override
            public void close() {
                memory.close();
            }
        }
    }
}
