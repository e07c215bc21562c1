package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.LaneFiles;
import io.tailrace.gpu.SnapshotImage;
import io.tailrace.gpu.check.CheckReport;
import io.tailrace.gpu.check.Corpus;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SourceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Times the kernels by batch and by size of the lane, uploads and swaps, beside the device's ceilings. */
public final class DeviceTimes {
    private static final int CORPUS_VOCABULARY = 32_000;
    private static final int SLOT_TOKENS = 4_096;
    private static final int FLUSH_BYTES = 256 << 20;
    private static final double GROWTH = 1.3;
    private static final double SECOND = 1e9;
    private static final float[] WEIGHTS = Mixer.defaults().weights();

    private final CheckReport report;
    private final Path folder;
    private final Path chaseBinary;
    private final boolean standIn;
    private final long deadlineNanos;
    private final int[] batches;
    private final int vocabulary;
    private double buildSecondsPerToken;
    private double measureSeconds;

    /**
     * A run.
     *
     * @param chaseBinary compiled pointer chase; may be missing
     * @param standIn small sizes: a rehearsal, whose times mean nothing
     * @param secondsMax a lane that would take longer than is left of it is not begun
     */
    public DeviceTimes(CheckReport report, Path folder, Path chaseBinary, boolean standIn, int secondsMax) {
        this.report = report;
        this.folder = folder;
        this.chaseBinary = chaseBinary;
        this.standIn = standIn;
        this.deadlineNanos = System.nanoTime() + (long) (secondsMax * SECOND);
        this.batches = standIn ? new int[] {1, 8} : new int[] {1, 4, 16, 64, 256, 1_024};
        this.vocabulary = standIn ? 1_000 : 128_256;
    }

    /** Measures lanes of so many tokens, smaller ones first. */
    public void run(List<Integer> segments) throws IOException {
        joins();
        int most = batches[batches.length - 1];
        int slotTokens = standIn ? 2_048 : SLOT_TOKENS;
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(most, slotTokens, most, KernelTimes.BUDGET));
                EventTimer timer = new EventTimer(standIn ? 1 << 20 : FLUSH_BYTES)) {
            report.heading("Ceilings of " + device.name());
            double load = new Ceilings(timer, standIn).measure(chaseBinary, report);
            KernelTimes kernels = new KernelTimes(device, timer, report, vocabulary, load);
            for (int tokens : segments) {
                report.heading("A lane of %,d tokens, one segment".formatted(tokens));
                double left = (deadlineNanos - System.nanoTime()) / SECOND;
                double needed = GROWTH * (tokens * buildSecondsPerToken + measureSeconds);
                if (needed > left) {
                    report.line("NOT RUN: it would take about %,.0f s, and %,.0f s are left.".formatted(needed, left));
                } else {
                    lane(device, kernels, tokens);
                }
            }
        }
        traffic();
    }

    private void joins() throws IOException {
        report.heading("Requests that join");
        int[] lengths = standIn ? new int[] {512, 2_048} : new int[] {1_000, 8_192, 65_536};
        new JoinTimes(report, CORPUS_VOCABULARY).measure(lengths, new int[] {1, 8});
    }

    private void lane(CudaDevice device, KernelTimes kernels, int tokens) throws IOException {
        long began = System.nanoTime();
        try (LaneFiles lane = new LaneFiles(folder)) {
            List<int[]> documents = Corpus.documents(tokens, CORPUS_VOCABULARY, tokens);
            lane.add(SourceKind.OLDER, documents);
            uploads(device, lane);
            buildSecondsPerToken = (System.nanoTime() - began) / SECOND / tokens;
            began = System.nanoTime();
            host(lane, documents);
            kernels.measure(documents, batches);
            measureSeconds = (System.nanoTime() - began) / SECOND;
        }
    }

    private void uploads(CudaDevice device, LaneFiles lane) throws IOException {
        SnapshotImage image = lane.image(WEIGHTS);
        long bytes = image.parts().get(0).bytes().remaining();
        device.drop(0);
        double first = KernelTimes.wallMicros(() -> device.publish(0, image));
        double again = KernelTimes.wallMicros(() -> device.publish(0, image));
        report.line(
                "Upload of %,d bytes from pageable memory: %,.0f us, %.2f GB/s. Swap to a snapshot that shares the segment: %,.0f us.\n"
                        .formatted(bytes, first, bytes / first / 1_000, again));
    }

    /** What Java takes for the same drafts, one after another. */
    private void host(LaneFiles lane, List<int[]> documents) throws IOException {
        int[][] contexts = KernelTimes.contexts(documents, 64);
        double[] times = new double[contexts.length];
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < contexts.length; i++) {
                Mixer mixer = Mixer.of(WEIGHTS);
                DraftPolicy policy = new DraftPolicy(true, KernelTimes.BUDGET, LaneFiles.FLOOR, 0, new float[0]);
                AdaptiveDrafter drafter = new AdaptiveDrafter(mixer, policy);
                drafter.begin(contexts[i], contexts[i].length);
                times[i] = KernelTimes.wallMicros(() -> drafter.draft(lane.index(), KernelTimes.BUDGET));
            }
        }
        Arrays.sort(times);
        report.line("Java on this host, one core, one draft: median %,.1f us.\n".formatted(times[times.length / 2]));
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
}
