package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.LaneFiles;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.gpu.PassInputs;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.gpu.SnapshotImage;
import io.tailrace.gpu.check.CheckReport;
import io.tailrace.gpu.check.Corpus;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SourceKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Times the kernels by batch and by size of the lane, uploads and swaps, beside the device's ceilings. */
public final class DeviceTimes {
    private static final int BUDGET = 16;
    private static final int CORPUS_VOCABULARY = 32_000;
    private static final int CONTEXT_TOKENS = 1_000;
    private static final int SLOT_TOKENS = 4_096;
    private static final int RUNS = 25;
    private static final int RULE_SEED = 7;
    private static final float[] WEIGHTS = Mixer.defaults().weights();

    private final CheckReport report;
    private final Path folder;
    private final Path chaseBinary;
    private final boolean standIn;
    private final int[] batches;
    private final int vocabulary;

    /**
     * A run.
     *
     * @param chaseBinary compiled pointer chase; may be missing
     * @param standIn small sizes: a rehearsal, whose times mean nothing
     */
    public DeviceTimes(CheckReport report, Path folder, Path chaseBinary, boolean standIn) {
        this.report = report;
        this.folder = folder;
        this.chaseBinary = chaseBinary;
        this.standIn = standIn;
        this.batches = standIn ? new int[] {1, 8} : new int[] {1, 4, 16, 64, 256, 1_024};
        this.vocabulary = standIn ? 1_000 : 128_256;
    }

    /** Measures lanes of so many tokens. */
    public void run(List<Integer> segments) throws IOException {
        int most = batches[batches.length - 1];
        int slotTokens = standIn ? 2_048 : SLOT_TOKENS;
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(most, slotTokens, most, BUDGET));
                EventTimer timer = new EventTimer()) {
            report.heading("Ceilings of " + device.name());
            double load = new Ceilings(timer, standIn).measure(chaseBinary, report);
            for (int tokens : segments) {
                report.heading("A lane of %,d tokens, one segment".formatted(tokens));
                try (LaneFiles lane = new LaneFiles(folder)) {
                    List<int[]> documents = Corpus.documents(tokens, CORPUS_VOCABULARY, tokens);
                    lane.add(SourceKind.OLDER, documents);
                    uploads(device, lane);
                    host(lane, documents);
                    kernels(device, timer, documents, load);
                }
            }
        }
        traffic();
    }

    private void uploads(CudaDevice device, LaneFiles lane) throws IOException {
        SnapshotImage image = lane.image(WEIGHTS);
        long bytes = image.parts().get(0).bytes().remaining();
        device.drop(0);
        double first = wallMicros(() -> device.publish(0, image));
        double again = wallMicros(() -> device.publish(0, image));
        report.line(
                "Upload of %,d bytes from pageable memory: %,.0f us, %.2f GB/s. Swap to a snapshot that shares the segment: %,.0f us.\n"
                        .formatted(bytes, first, bytes / first / 1_000, again));
    }

    /** What Java takes for the same drafts, one after another. */
    private void host(LaneFiles lane, List<int[]> documents) throws IOException {
        int[][] contexts = contexts(documents, 64);
        double[] times = new double[contexts.length];
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < contexts.length; i++) {
                Mixer mixer = Mixer.of(WEIGHTS);
                AdaptiveDrafter drafter =
                        new AdaptiveDrafter(mixer, new DraftPolicy(true, BUDGET, LaneFiles.FLOOR, 0, new float[0]));
                drafter.begin(contexts[i], contexts[i].length);
                times[i] = wallMicros(() -> drafter.draft(lane.index(), BUDGET));
            }
        }
        Arrays.sort(times);
        report.line("Java on this host, one core, one draft: median %,.1f us.\n".formatted(times[times.length / 2]));
    }

    private void kernels(CudaDevice device, EventTimer timer, List<int[]> documents, double loadNanos)
            throws IOException {
        report.table(
                "batch",
                "whole draft, one graph, us",
                "whole draft, call by call, us",
                "search, us",
                "search, dependent loads",
                "grow, us",
                "sample, us",
                "logits read, GB/s",
                "accept, us",
                "extend, us",
                "fill, us",
                "step that waits twice, wall us",
                "step that waits once, wall us",
                "nodes a draft");
        for (int batch : batches) {
            int[] slots = IntStream.range(0, batch).toArray();
            int[] budgets = new int[batch];
            Arrays.fill(budgets, BUDGET);
            int[][] contexts = contexts(documents, batch);
            for (int i = 0; i < batch; i++) {
                device.add(new int[] {i}, new int[][] {contexts[i]});
            }
            device.draft(slots, new int[batch], budgets);
            List<DeviceDraft> drafts = device.drafts();
            int rows = drafts.stream().mapToInt(DeviceDraft::size).sum() + batch;
            double search = timer.micros(RUNS, () -> device.step().search(null, batch));
            double grow = timer.micros(RUNS, () -> device.step().grow(null, batch));
            double whole = timer.micros(RUNS, () -> device.queue(StepGraphs.Part.DRAFT));
            double single = timer.micros(RUNS, () -> device.step().draft(null, batch));
            try (DeviceMemory memory = device.reserve(4L * rows * vocabulary);
                    DeviceMemory inputs = device.reserve(batch * (long) BUDGET * (2 * Long.BYTES + BUDGET))) {
                zero(memory);
                LogitsRows logits = new LogitsRows(memory.address(), vocabulary, firstRows(drafts));
                List<SamplingRule> rules = Collections.nCopies(batch, new SamplingRule(0, 1, 0, RULE_SEED));
                device.verify(logits, rules);
                List<DeviceVerdict> verdicts = device.verdicts();
                double twice = medianWallMicros(() -> {
                    device.draft(slots, new int[batch], budgets);
                    device.drafts();
                    device.verify(logits, rules);
                    device.verdicts();
                });
                PassInputs pass = pass(inputs, batch);
                double once = medianWallMicros(() -> {
                    device.draft(slots, new int[batch], budgets);
                    device.fill(pass);
                    device.verify(logits, rules);
                    device.outcomes();
                });
                double fill = timer.micros(RUNS, () -> device.step().fill(null, batch));
                double sample = timer.micros(RUNS, () -> device.step().sample(null, batch));
                double accept = timer.micros(RUNS, () -> device.step().accept(null, batch));
                double extend = timer.micros(RUNS, () -> device.step().extend(null, batch));
                report.row(
                        batch,
                        whole,
                        single,
                        search,
                        search * 1_000 / loadNanos,
                        grow,
                        sample,
                        4.0 * rows * vocabulary / sample / 1_000,
                        accept,
                        extend,
                        fill,
                        twice,
                        once,
                        (double) (rows - verdicts.size()) / batch);
            }
        }
    }

    /** A pass in which every entry has a seat of the whole budget, with columns for nothing but its draft. */
    private PassInputs pass(DeviceMemory inputs, int batch) {
        List<PassInputs.Seat> seats = IntStream.range(0, batch)
                .mapToObj(i ->
                        new PassInputs.Seat((long) i * BUDGET * BUDGET, i * BUDGET, BUDGET, BUDGET, CONTEXT_TOKENS))
                .toList();
        long positions = inputs.address() + (long) batch * BUDGET * Long.BYTES;
        long blocked = positions + (long) batch * BUDGET * Long.BYTES;
        return new PassInputs("cuda:0", inputs.address(), positions, blocked, vocabulary, seats);
    }

    /** Bytes across the bus that one request of a step costs, by the arrays copied. */
    private void traffic() throws IOException {
        int toDevice =
                StepMemory.LANE_VIEW_BYTES + StepMemory.SAMPLING_BYTES + StepMemory.SEAT_BYTES + 4 * Integer.BYTES;
        report.heading("Bytes across the bus, a request and step");
        report.table("direction", "bytes", "what");
        report.row("to the device", toDevice, "slot, lane, budget, seat, kept nodes, first row, sampling");
        report.row("to the host", DeviceDraft.BYTES, "the draft, with the verdict or before the pass");
        report.row("to the host", DeviceVerdict.BYTES, "the verdict");
        report.line("\nWaits a step: one; two where the device cannot write the pass's inputs.");
    }

    /** Every other one is a document broken off, with a long match; the others are put together from pieces. */
    private static int[][] contexts(List<int[]> documents, int count) {
        SplittableRandom random = new SplittableRandom(count);
        List<int[]> contexts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] document = documents.get(random.nextInt(documents.size()));
            int[] pieces = Corpus.document(CONTEXT_TOKENS, CORPUS_VOCABULARY, documents, random);
            int kept = document.length / 2;
            if (i % 2 == 0) {
                System.arraycopy(document, 0, pieces, CONTEXT_TOKENS - kept, kept);
            }
            contexts.add(pieces);
        }
        return contexts.toArray(int[][]::new);
    }

    private static int[] firstRows(List<DeviceDraft> drafts) {
        int[] first = new int[drafts.size()];
        for (int i = 1; i < first.length; i++) {
            first[i] = first[i - 1] + drafts.get(i - 1).size() + 1;
        }
        return first;
    }

    /** Logits of nothing but zeros: memory as it comes may hold what is no number. */
    private static void zero(DeviceMemory memory) {
        int chunk = 1 << 20;
        memory.upload(0, ByteBuffer.allocateDirect((int) Math.min(chunk, memory.bytes())));
        for (long at = chunk; at < memory.bytes(); at += chunk) {
            memory.copy(at, memory, 0, Math.min(chunk, memory.bytes() - at), null);
        }
    }

    private static double medianWallMicros(Runnable work) {
        return IntStream.range(0, RUNS)
                .mapToDouble(run -> wallMicros(work))
                .sorted()
                .skip(RUNS / 2)
                .findFirst()
                .orElseThrow();
    }

    private static double wallMicros(Runnable work) {
        long began = System.nanoTime();
        work.run();
        return (System.nanoTime() - began) / 1e3;
    }
}
