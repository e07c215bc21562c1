package io.tailrace.gpu.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceException;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceLostException;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.LaneFiles;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.gpu.PassInputs;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.gpu.SnapshotImage;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SimilarAnswers;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The binding, executed on a stand-in for the driver: argument order, layouts, sizes, swaps and errors. */
class CudaDeviceTest {
    private static final float FLOOR = LaneFiles.FLOOR;
    private static final int LANE = 3;
    private static final int VOCABULARY = 30;
    private static final int CONTEXT_FULL = 1;
    private static final int NOT_ADDED = 32;
    private static final int BAD_LOGITS = 64;
    private static final int BAD_SLOT = 128;
    private static final int ILLEGAL_ADDRESS = 700;
    private static final int OUT_OF_MEMORY = 2;
    private static final int BLOCKS_KEPT_MAX = 4;
    private static final float[] WEIGHTS = weights();

    @TempDir
    Path folder;

    @BeforeAll
    static void loadStandIn() throws Exception {
        assumeTrue(StandInDriver.load(), "g++ is not installed (Debian: apt-get install g++)");
    }

    @AfterEach
    void nothingSticks() {
        StandInDriver.failAfter(-1, 0);
        StandInDriver.relaunch();
    }

    @Test
    void batchesDraftAndAcceptAsJavaDoes() {
        Cases.forEachSeed(12, seed -> {
            Random random = new Random(seed);
            int budgetMax = List.of(16, 32, 64).get((int) seed % 3);
            try (CudaDevice device = new CudaDevice(0, new DeviceLimits(7, 400, 5, budgetMax));
                    LaneFiles lane = lane(random)) {
                device.publish(LANE, lane.image(WEIGHTS));
                Requests requests = new Requests(random, 4, lane);
                device.add(requests.slots, requests.prompts);
                for (int step = 0; step < 12; step++) {
                    requests.step(device, budgetMax);
                    swapSometimes(random, device, lane);
                }
                assertThat(requests.similarNodes)
                        .as("nodes that similar answers name")
                        .isPositive();
            }
        });
    }

    /** What requests follow answers in becomes another part of the lane, or goes. */
    private static void swapSometimes(Random random, CudaDevice device, LaneFiles lane) throws Exception {
        List<int[]> documents =
                IntStream.range(0, 5).mapToObj(i -> tokens(random, 60)).toList();
        switch (random.nextInt(4)) {
            case 0 -> lane.refresh(documents);
            case 1 -> lane.graduate(documents);
            default -> {
                return;
            }
        }
        device.publish(LANE, lane.image(WEIGHTS));
    }

    /** Requests on the device and in Java, side by side; the last batch entry is idle. */
    private static final class Requests {
        private final Random random;
        private final LaneFiles lane;
        private final int[] slots;
        private final int[][] prompts;
        private final int[][] truths;
        private final int[] at;
        private final List<AdaptiveDrafter> drafters = new ArrayList<>();
        private final List<SimilarAnswers> similar = new ArrayList<>();
        private int similarNodes;

        Requests(Random random, int count, LaneFiles lane) {
            this.random = random;
            this.lane = lane;
            List<Integer> all = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6));
            Collections.shuffle(all, random);
            slots = all.subList(0, count).stream().mapToInt(i -> i).toArray();
            prompts = new int[count][];
            truths = new int[count][];
            at = new int[count];
            for (int i = 0; i < count; i++) {
                prompts[i] = likeOthers(random, tokens(random, 1 + random.nextInt(120)));
                truths[i] = tokens(random, 700);
                Mixer mixer = Mixer.of(WEIGHTS);
                mixer.hurry(0);
                drafters.add(new AdaptiveDrafter(mixer, new DraftPolicy(true, 64, FLOOR, 0, new float[0])));
                drafters.get(i).begin(prompts[i], prompts[i].length);
                similar.add(new SimilarAnswers());
                similar.get(i).ask(prompts[i], prompts[i].length);
            }
        }

        void step(CudaDevice device, int budgetMax) {
            int[] batchSlots = Arrays.copyOf(slots, slots.length + 1);
            batchSlots[slots.length] = -1;
            int[] budgets = random.ints(batchSlots.length, 0, budgetMax + 1).toArray();
            for (int i = 0; i < slots.length; i++) {
                if (similar.get(i).prepare(lane.index())) {
                    device.similar(slots[i], similar.get(i).texts());
                }
            }
            device.draft(batchSlots, lanes(batchSlots.length), budgets);
            List<DeviceDraft> drafts = device.drafts();
            drafts.forEach(draft -> similarNodes += similarNodes(draft));
            assertThat(drafts.get(slots.length).size()).isZero();
            assertThat(drafts.get(slots.length).flags()).isZero();
            int rows = budgetMax + 1;
            ByteBuffer logits = floats(batchSlots.length * rows * VOCABULARY);
            for (int i = 0; i < slots.length; i++) {
                assertSame(drafts.get(i), drafters.get(i).draft(lane.index(), budgets[i]));
                sayTruth(logits, i * rows, drafts.get(i), i);
            }
            verify(device, logits, batchSlots.length, rows);
        }

        private static int[] likeOthers(Random random, int[] tokens) {
            int[] topics = LaneFiles.topics(random.nextInt(5), random.nextInt(4), random.nextInt(9));
            return IntStream.concat(Arrays.stream(topics), Arrays.stream(tokens))
                    .toArray();
        }

        private static int similarNodes(Draft draft) {
            return (int) IntStream.range(0, draft.size())
                    .filter(node -> draft.source(node) == SourceKind.SIMILAR)
                    .count();
        }

        /** Makes the true token the likeliest at every row: that of the row's depth. */
        private void sayTruth(ByteBuffer logits, int row, Draft draft, int request) {
            say(logits, row, truths[request][at[request]]);
            for (int node = 0; node < draft.size(); node++) {
                int depth = 1;
                for (int parent = draft.parent(node); parent >= 0; parent = draft.parent(parent)) {
                    depth++;
                }
                say(logits, row + 1 + node, truths[request][at[request] + depth]);
            }
        }

        private void verify(CudaDevice device, ByteBuffer logits, int batch, int rows) {
            try (DeviceMemory memory = device.reserve(logits.capacity())) {
                memory.upload(0, logits);
                int[] firstRows = IntStream.range(0, batch).map(i -> i * rows).toArray();
                device.verify(
                        new LogitsRows(memory.address(), VOCABULARY, firstRows),
                        Collections.nCopies(batch, SamplingRule.GREEDY));
                List<DeviceVerdict> verdicts = device.verdicts();
                assertThat(verdicts.get(slots.length).tokens()).isEmpty();
                for (int i = 0; i < slots.length; i++) {
                    int[] said = verdicts.get(i).tokens();
                    assertThat(said).isEqualTo(Arrays.copyOfRange(truths[i], at[i], at[i] + said.length));
                    assertThat(verdicts.get(i).keptRows()).hasSameSizeAs(said).isSorted();
                    at[i] += said.length;
                    drafters.get(i).verified(said, said.length);
                }
            }
        }
    }

    @Test
    void sampledTextIsThatWithoutDrafts() throws Exception {
        Random random = new Random(5);
        try (LaneFiles lane = lane(random)) {
            int[] without = sampled(lane, 0);
            assertThat(sampled(lane, 16)).isEqualTo(without);
            assertThat(Arrays.stream(without).distinct().count()).isGreaterThan(2);
        }
    }

    /** 60 tokens of a model whose logits depend on the last token, at temperature 0.8, top-p 0.9, top-k 12. */
    private int[] sampled(LaneFiles lane, int budget) throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 400, 1, 16));
                DeviceMemory memory = device.reserve(17L * VOCABULARY * Float.BYTES)) {
            device.publish(LANE, lane.image(WEIGHTS));
            device.add(new int[] {0}, new int[][] {{1, 2, 3, 1, 2, 3, 1}});
            List<Integer> text = new ArrayList<>();
            int last = 1;
            while (text.size() < 60) {
                device.draft(new int[] {0}, lanes(1), new int[] {budget});
                DeviceDraft draft = device.drafts().get(0);
                ByteBuffer logits = floats(17 * VOCABULARY);
                model(logits, 0, last);
                for (int node = 0; node < draft.size(); node++) {
                    model(logits, node + 1, draft.token(node));
                }
                memory.upload(0, logits);
                device.verify(rowsAt(memory.address()), List.of(new SamplingRule(0.8f, 0.9f, 12, 42)));
                for (int token : device.verdicts().get(0).tokens()) {
                    text.add(token);
                    last = token;
                }
            }
            return text.stream().limit(60).mapToInt(i -> i).toArray();
        }
    }

    private static void model(ByteBuffer logits, int row, int token) {
        Random random = new Random(token);
        for (int i = 0; i < VOCABULARY; i++) {
            logits.putFloat(4 * (row * VOCABULARY + i), random.nextFloat() * 5);
        }
    }

    /** Contexts of any lengths, many at once: more tokens together than are staged at once, and some too long for their slots. */
    @Test
    void contextsAreThoseThatWerePutIn() {
        Cases.forEachSeed(60, seed -> {
            Random random = new Random(seed);
            int slots = 1 + random.nextInt(9);
            int tokensMax = 20 + random.nextInt(200);
            try (CudaDevice device = new CudaDevice(0, new DeviceLimits(slots, tokensMax, slots, 16));
                    LaneFiles lane = lane(random)) {
                device.publish(LANE, lane.image(WEIGHTS));
                int[] all = IntStream.range(0, slots).toArray();
                int[][] contexts = new int[slots][];
                for (int round = 0; round < 3; round++) {
                    Arrays.setAll(contexts, i -> tokens(random, random.nextInt(tokensMax + 20)));
                    int held = StandInDriver.held();
                    device.add(all, contexts);
                    assertThat(StandInDriver.held()).isEqualTo(held);
                    int[] budgets = new int[slots];
                    Arrays.fill(budgets, 16);
                    device.draft(all, lanes(slots), budgets);
                    List<DeviceDraft> drafts = device.drafts();
                    for (int i = 0; i < slots; i++) {
                        checkAdded(contexts[i], tokensMax, drafts.get(i), lane.index());
                    }
                }
            }
        });
    }

    private static void checkAdded(int[] context, int tokensMax, DeviceDraft draft, LaneIndex index) {
        if (context.length > tokensMax) {
            assertThat(draft.flags()).isEqualTo(CONTEXT_FULL);
            return;
        }
        Mixer mixer = Mixer.of(WEIGHTS);
        mixer.hurry(0);
        AdaptiveDrafter drafter = new AdaptiveDrafter(mixer, new DraftPolicy(true, 64, FLOOR, 0, new float[0]));
        drafter.begin(context, context.length);
        assertSame(draft, drafter.draft(index, 16));
    }

    @Test
    void swapsTakeTurnsInTheSameMemory() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 100, 1, 16));
                LaneFiles first = new LaneFiles(folder);
                LaneFiles second = new LaneFiles(folder)) {
            first.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 4, 5}));
            second.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 9, 9}));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            int held = 0;
            for (int i = 0; i < 100; i++) {
                device.publish(LANE, (i % 2 == 0 ? first : second).image(WEIGHTS));
                assertThat(draftedTokens(device)).contains(i % 2 == 0 ? 4 : 9).doesNotContain(i % 2 == 0 ? 9 : 4);
                assertThat(device.sweep()).isTrue();
                assertThat(StandInDriver.held()).isEqualTo(i < 2 ? StandInDriver.held() : held);
                held = StandInDriver.held();
            }
        }
        assertThat(StandInDriver.held()).isZero();
    }

    @Test
    void swappedSnapshotsDraftAnewAndGiveTheirMemoryBack() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 100, 1, 16));
                LaneFiles first = new LaneFiles(folder);
                LaneFiles second = new LaneFiles(folder)) {
            List<int[]> shared = List.of(new int[] {1, 2, 3, 4, 5, 6, 7, 8});
            first.add(SourceKind.OLDER, shared);
            second.add(SourceKind.OLDER, shared);
            second.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 9, 9, 9, 9, 9}));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            device.publish(LANE, first.image(WEIGHTS));
            assertThat(draftedTokens(device)).contains(4).doesNotContain(9);
            device.publish(LANE, second.image(WEIGHTS));
            assertThat(draftedTokens(device)).contains(4, 9);
            assertThat(device.sweep()).isTrue();
            int held = StandInDriver.held();
            for (int i = 0; i < 20; i++) {
                device.publish(LANE, second.image(WEIGHTS));
            }
            while (!device.sweep()) {
                Thread.onSpinWait();
            }
            assertThat(StandInDriver.held()).isBetween(held, held + BLOCKS_KEPT_MAX);
            assertThat(draftedTokens(device)).contains(4, 9);
        }
    }

    @Test
    void closedDevicesGiveAllMemoryBack() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(3, 100, 2, 32));
                LaneFiles lane = lane(new Random(1))) {
            device.publish(LANE, lane.image(WEIGHTS));
            assertThat(StandInDriver.held()).isPositive();
        }
        assertThat(StandInDriver.held()).isZero();
    }

    @Test
    void refusedFilesLeaveTheLiveSnapshot() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 100, 1, 16));
                LaneFiles lane = new LaneFiles(folder)) {
            lane.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 4, 5}));
            device.publish(LANE, lane.image(WEIGHTS));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            int held = StandInDriver.held();
            ByteBuffer foreign = ByteBuffer.allocateDirect(4096);
            SnapshotImage bad = new SnapshotImage(
                    List.of(new SnapshotImage.Part(SourceKind.NEWEST, "bad", foreign)),
                    LaneVocabulary.EMPTY,
                    WEIGHTS,
                    FLOOR);
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> device.publish(LANE, bad))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("live snapshot stays");
                assertThat(StandInDriver.held())
                        .as("one block is kept for the next")
                        .isEqualTo(held + 1);
            }
            assertThat(draftedTokens(device)).contains(4);
        }
    }

    @Test
    void whatDoesNotFitIsAFlagOfThatRequestAlone() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(3, 8, 3, 16));
                LaneFiles lane = new LaneFiles(folder)) {
            lane.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 4, 5}));
            device.publish(LANE, lane.image(WEIGHTS));
            device.add(new int[] {0, 1}, new int[][] {{1, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}});
            device.draft(new int[] {0, 1, 2}, lanes(3), new int[] {8, 8, 8});
            List<DeviceDraft> drafts = device.drafts();
            assertThat(drafts.get(0).flags()).isZero();
            assertThat(drafts.get(0).size()).isPositive();
            assertThat(drafts.get(1).flags()).isEqualTo(CONTEXT_FULL);
            assertThat(drafts.get(1).size()).isZero();
            assertThat(drafts.get(2).flags()).isEqualTo(NOT_ADDED);
            int[] noLanes = {DraftDevice.NONE, DraftDevice.NONE, DraftDevice.NONE};
            device.draft(new int[] {0, 1, 2}, noLanes, new int[3]);
            assertThat(device.drafts().stream().map(DeviceDraft::flags).toList())
                    .as("a request that wants no draft just now is told as well")
                    .containsExactly(0, CONTEXT_FULL, NOT_ADDED);
            device.draft(new int[] {77}, lanes(1), new int[] {8});
            assertThat(device.drafts().get(0).flags()).isEqualTo(BAD_SLOT);
        }
    }

    @Test
    void logitsThatAreNoNumbersAreAFlag() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 100, 1, 16));
                LaneFiles lane = lane(new Random(1));
                DeviceMemory memory = device.reserve(17L * VOCABULARY * Float.BYTES)) {
            device.publish(LANE, lane.image(WEIGHTS));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            device.draft(new int[] {0}, lanes(1), new int[] {4});
            ByteBuffer logits = floats(17 * VOCABULARY);
            logits.putFloat(4, Float.NaN);
            memory.upload(0, logits);
            device.verify(rowsAt(memory.address()), List.of(SamplingRule.GREEDY));
            assertThat(device.verdicts().get(0).flags()).isEqualTo(BAD_LOGITS);
            assertThat(device.verdicts().get(0).tokens()).isEmpty();
        }
    }

    @Test
    void nodesSeeTheirAncestorsOnly() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 100, 1, 16));
                LaneFiles lane = new LaneFiles(folder);
                DeviceMemory mask = device.reserve(17L * 17 * Float.BYTES)) {
            lane.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 4, 5}, new int[] {1, 2, 3, 6, 7}));
            device.publish(LANE, lane.image(WEIGHTS));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            device.draft(new int[] {0}, lanes(1), new int[] {16});
            DeviceDraft draft = device.drafts().get(0);
            assertThat(draft.size()).isGreaterThan(2);
            device.mask(mask.address());
            ByteBuffer seen = floats(17 * 17);
            mask.download(0, seen);
            for (int node = 0; node < draft.size(); node++) {
                for (int other = 0; other < draft.size(); other++) {
                    float expected = isOnPath(draft, node, other) ? 0 : Float.NEGATIVE_INFINITY;
                    assertThat(seen.getFloat(4 * ((node + 1) * 17 + other + 1))).isEqualTo(expected);
                }
                assertThat(seen.getFloat(4 * (node + 1) * 17)).isZero();
            }
        }
    }

    @Test
    void refusalsNameTheCallAndItsCode() {
        assertThatThrownBy(() -> new CudaDevice(3, new DeviceLimits(1, 10, 1, 16)))
                .isInstanceOf(DeviceException.class)
                .hasMessage("cuDeviceGet gave 101 (CUDA_ERROR_INVALID_DEVICE)");
        assertThatThrownBy(() -> new CudaDevice(0, new DeviceLimits(100, 100_000, 1, 16)))
                .isInstanceOf(DeviceException.class)
                .hasMessage("cuMemAlloc gave 2 (CUDA_ERROR_OUT_OF_MEMORY)");
        assertThatThrownBy(() -> new CudaDevice(0, new DeviceLimits(1, 10, 1, 16), new byte[64]))
                .isInstanceOf(DeviceException.class)
                .hasMessage("cuModuleLoadData gave 200 (CUDA_ERROR_INVALID_IMAGE)");
    }

    /** One row of logits too few: a device reads what lies behind, or nothing at all. */
    @Test
    void memoryThatIsTooShortForALaunchIsAWrongAddress() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 100, 1, 16));
                LaneFiles lane = new LaneFiles(folder)) {
            lane.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 4, 5, 6, 7}));
            device.publish(LANE, lane.image(WEIGHTS));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            device.draft(new int[] {0}, lanes(1), new int[] {16});
            int rows = 1 + device.drafts().get(0).size();
            assertThat(rows).isGreaterThan(2);
            try (DeviceMemory enough = device.reserve((long) rows * VOCABULARY * Float.BYTES);
                    DeviceMemory tooShort = device.reserve((rows - 1L) * VOCABULARY * Float.BYTES)) {
                enough.upload(0, floats(rows * VOCABULARY));
                device.verify(rowsAt(enough.address()), List.of(SamplingRule.GREEDY));
                assertThat(device.verdicts().get(0).tokens()).isNotEmpty();
                device.add(new int[] {0}, new int[][] {{1, 2, 3}});
                device.draft(new int[] {0}, lanes(1), new int[] {16});
                device.verify(rowsAt(tooShort.address()), List.of(SamplingRule.GREEDY));
                assertThatThrownBy(device::verdicts)
                        .isInstanceOfSatisfying(
                                DeviceLostException.class,
                                e -> assertThat(e.code()).isEqualTo(ILLEGAL_ADDRESS));
                StandInDriver.relaunch();
            }
        }
        assertThat(StandInDriver.held()).isZero();
    }

    /** What a wrong address breaks no call mends: the process needs another one in its place. */
    @Test
    void aWrongAddressLosesTheDeviceToTheProcess() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 100, 1, 16));
                LaneFiles lane = lane(new Random(1))) {
            device.publish(LANE, lane.image(WEIGHTS));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            device.draft(new int[] {0}, lanes(1), new int[] {4});
            device.verify(rowsAt(1234), List.of(SamplingRule.GREEDY));
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(device::verdicts).isInstanceOfSatisfying(DeviceLostException.class, e -> {
                    assertThat(e.call()).isIn("cuStreamSynchronize", "cuCtxSetCurrent");
                    assertThat(e.code()).isEqualTo(ILLEGAL_ADDRESS);
                    assertThat(e).hasMessageContaining("restart");
                });
            }
            assertThatThrownBy(device::close).isInstanceOf(DeviceLostException.class);
        }
        assertThat(StandInDriver.held()).isZero();
        assertThatThrownBy(() -> new CudaDevice(0, new DeviceLimits(1, 100, 1, 16)))
                .isInstanceOf(DeviceLostException.class);
        assertThat(CudaProbe.look().usable()).isFalse();
        StandInDriver.relaunch();
        new CudaDevice(0, new DeviceLimits(1, 100, 1, 16)).close();
    }

    @Test
    void aSwapFreesTheOldSnapshotOnlyAfterItsLastStep() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 100, 1, 16));
                LaneFiles first = new LaneFiles(folder);
                LaneFiles second = new LaneFiles(folder)) {
            first.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 4, 5}));
            second.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 9, 9}));
            device.publish(LANE, first.image(WEIGHTS));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            device.draft(new int[] {0}, lanes(1), new int[] {8});
            device.publish(LANE, second.image(WEIGHTS));
            assertThat(device.sweep()).isFalse();
            assertThat(device.drafts().get(0).token(0)).isEqualTo(4);
            assertThat(device.sweep()).isTrue();
            assertThat(draftedTokens(device)).contains(9).doesNotContain(4);
        }
    }

    @Test
    void requestsOfOneBatchDraftFromTheirOwnLanesOnly() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(3, 100, 3, 16));
                LaneFiles ours = new LaneFiles(folder);
                LaneFiles theirs = new LaneFiles(folder)) {
            ours.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 4, 5}));
            theirs.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 9, 9}));
            device.publish(0, ours.image(WEIGHTS));
            device.publish(7, theirs.image(WEIGHTS));
            int[][] contexts = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
            device.add(new int[] {0, 1, 2}, contexts);
            device.draft(new int[] {0, 1, 2}, new int[] {0, 7, DraftDevice.NONE}, new int[] {8, 8, 8});
            List<DeviceDraft> drafts = device.drafts();
            assertThat(drafts.get(0).token(0)).isEqualTo(4);
            assertThat(drafts.get(1).token(0)).isEqualTo(9);
            assertThat(drafts.get(2).size()).isZero();
            device.drop(7);
            assertThatThrownBy(() -> device.draft(new int[] {1}, new int[] {7}, new int[] {8}))
                    .hasMessageContaining("lane 7");
        }
    }

    @Test
    void onlyTheNodesThatAreKeptCanBeAccepted() throws Exception {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(1, 100, 1, 16));
                LaneFiles lane = new LaneFiles(folder);
                DeviceMemory memory = device.reserve(20L * VOCABULARY * Float.BYTES)) {
            lane.add(SourceKind.NEWEST, List.of(new int[] {1, 2, 3, 4, 5, 6, 7}));
            device.publish(LANE, lane.image(WEIGHTS));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            device.draft(new int[] {0}, lanes(1), new int[] {4});
            assertThat(device.drafts().get(0).size()).isEqualTo(4);
            device.trim(new int[] {2});
            ByteBuffer logits = floats(20 * VOCABULARY);
            for (int row = 0; row < 5; row++) {
                say(logits, 3 + row, 4 + row);
            }
            memory.upload(0, logits);
            device.verify(new LogitsRows(memory.address(), VOCABULARY, new int[] {3}), List.of(SamplingRule.GREEDY));
            assertThat(device.verdicts().get(0).tokens()).containsExactly(4, 5, 6);
        }
    }

    /** Every call of the driver fails once, in turn, with an error that passes and with one that stays. */
    @Test
    void whateverCallFailsIsNamedAndNothingIsLost() throws Exception {
        try (LaneFiles lane = lane(new Random(1))) {
            for (int code : new int[] {OUT_OF_MEMORY, ILLEGAL_ADDRESS}) {
                int failed = 0;
                while (failsAt(failed, code, lane)) {
                    StandInDriver.relaunch();
                    assertThat(StandInDriver.held())
                            .as("after call %s failed", failed)
                            .isZero();
                    assertThat(++failed).isLessThan(1_000);
                }
                assertThat(failed).isGreaterThan(80);
            }
        }
    }

    /** Runs a device's whole life with one failing call; false if it was over before. A lack of memory may be got over. */
    private boolean failsAt(int call, int code, LaneFiles lane) throws Exception {
        StandInDriver.failAfter(call, code);
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(2, 100, 2, 16));
                DeviceMemory memory = device.reserve(34L * VOCABULARY * Float.BYTES)) {
            device.publish(LANE, lane.image(WEIGHTS));
            device.add(new int[] {0}, new int[][] {{1, 2, 3}});
            for (int step = 0; step < 2; step++) {
                device.draft(new int[] {0}, lanes(1), new int[] {4});
                device.publish(LANE, lane.image(WEIGHTS));
                device.drafts();
                device.trim(new int[] {2});
                PassInputs.Seat seat = new PassInputs.Seat(0, 0, 2, 2, 1);
                long at = memory.address();
                device.fill(new PassInputs("cuda:0", at, at + 64, at + 128, VOCABULARY, List.of(seat)));
                memory.upload(0, floats(34 * VOCABULARY));
                long rows = device.stage(floats((3 + 14 * step) * VOCABULARY));
                device.verify(rowsAt(step == 0 ? rows : memory.address()), List.of(SamplingRule.GREEDY));
                device.verdicts();
                device.outcomes();
                device.sweep();
            }
            device.drop(LANE);
            return !StandInDriver.failsYet() && code == OUT_OF_MEMORY;
        } catch (DeviceException e) {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e instanceof DeviceLostException).isEqualTo(code == ILLEGAL_ADDRESS);
            assertThat(e.call()).startsWith("cu");
            return true;
        } finally {
            StandInDriver.failAfter(-1, 0);
        }
    }

    @Test
    void theProbeSaysWhatIsMissing() {
        assertThat(CudaProbe.look()).isEqualTo(new CudaProbe(true, 1, "1 GPU, driver for CUDA 13.0"));
        assertThat(CudaProbe.judge(12_040, 2).usable()).isFalse();
        assertThat(CudaProbe.judge(12_040, 2).reason()).contains("12.4", "13.0", "gpu/build.sh");
        assertThat(CudaProbe.judge(13_000, 0).usable()).isFalse();
    }

    private static int[] draftedTokens(CudaDevice device) {
        device.draft(new int[] {0}, lanes(1), new int[] {16});
        DeviceDraft draft = device.drafts().get(0);
        return IntStream.range(0, draft.size()).map(draft::token).toArray();
    }

    private static boolean isOnPath(Draft draft, int node, int other) {
        for (int at = node; at >= 0; at = draft.parent(at)) {
            if (at == other) {
                return true;
            }
        }
        return false;
    }

    private static void assertSame(DeviceDraft device, Draft java) {
        assertThat(device.flags()).isZero();
        assertThat(device.size()).isEqualTo(java.size());
        for (int i = 0; i < java.size(); i++) {
            assertThat(device.token(i)).isEqualTo(java.token(i));
            assertThat(device.parent(i)).isEqualTo(java.parent(i));
            assertThat(device.source(i)).isEqualTo(java.source(i));
            assertThat(device.matchLength(i)).isEqualTo(java.matchLength(i));
            assertThat(Float.floatToRawIntBits(device.probability(i)))
                    .isEqualTo(Float.floatToRawIntBits(java.probability(i)));
        }
    }

    /** No two alike, so that each shows. */
    private static float[] weights() {
        Random random = new Random(1);
        float[] weights = Mixer.defaults().weights();
        for (int i = 0; i < weights.length; i++) {
            weights[i] += 0.05f * (float) random.nextGaussian();
        }
        return weights;
    }

    private LaneFiles lane(Random random) throws Exception {
        LaneFiles lane = new LaneFiles(folder);
        for (SourceKind kind : List.of(SourceKind.OLDER, SourceKind.NEWEST, SourceKind.FRESH)) {
            lane.add(
                    kind,
                    IntStream.range(0, 10).mapToObj(i -> tokens(random, 60)).toList());
        }
        return lane;
    }

    private static int[] tokens(Random random, int length) {
        int[] tokens = new int[length];
        for (int i = 0, copied = 0, from = 0; i < length; i++, copied--) {
            if (copied <= 0 && i > 0 && random.nextInt(6) == 0) {
                copied = random.nextInt(20);
                from = random.nextInt(i);
            }
            tokens[i] = copied > 0 ? tokens[from++] : random.nextInt(VOCABULARY);
        }
        return tokens;
    }

    private static void say(ByteBuffer logits, int row, int token) {
        logits.putFloat(4 * (row * VOCABULARY + token), 1);
    }

    private static ByteBuffer floats(int count) {
        return ByteBuffer.allocateDirect(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int[] lanes(int count) {
        int[] lanes = new int[count];
        Arrays.fill(lanes, LANE);
        return lanes;
    }

    private static LogitsRows rowsAt(long address) {
        return new LogitsRows(address, VOCABULARY, new int[] {0});
    }
}
