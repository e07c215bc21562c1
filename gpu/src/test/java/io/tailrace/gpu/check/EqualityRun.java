package io.tailrace.gpu.check;

import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.driver.CudaDevice;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Drafts, samples and accepts on a device from a seed, and writes all that comes back to a file: equal files, equal devices. Each
 * draft is compared with Java's on the way.
 *
 * <p>It goes the ways that serving goes: each size of budget, a batch smaller than the graph that takes it, with idle entries and
 * entries without a lane, several lanes, a step that waits once and one that waits twice, while another thread swaps snapshots.
 */
final class EqualityRun {
    private static final int[] BUDGETS = {16, 32, 64};
    private static final int SLOT_TOKENS = 1_000;
    private static final int STEPS = 12;

    private final Path folder;
    private final Comparison comparison;
    private int swaps;

    EqualityRun(Path folder, DataOutputStream out) {
        this.folder = folder;
        this.comparison = new Comparison(out);
    }

    /** Goes on until so many drafts were compared, a third with each budget, two steps at the least; returns a sentence. */
    String run(long draftsWanted) throws IOException {
        for (int i = 0; i < BUDGETS.length; i++) {
            int slots = CheckedBatch.SLOTS;
            try (CudaDevice device = new CudaDevice(0, new DeviceLimits(slots, SLOT_TOKENS, slots, BUDGETS[i]))) {
                long until = draftsWanted * (i + 1) / BUDGETS.length;
                for (long seed = 1; seed == 1 || comparison.drafts() < until; seed++) {
                    lanes(device, new SplittableRandom(seed), until);
                }
            }
        }
        return "%,d drafts equal to Java's bit for bit, %,d tokens accepted, %,d snapshots swapped meanwhile"
                .formatted(comparison.drafts(), comparison.accepted(), swaps);
    }

    private void lanes(CudaDevice device, SplittableRandom random, long until) throws IOException {
        try (CheckedLanes lanes = new CheckedLanes(device, folder, random);
                CheckedBatch batch = new CheckedBatch(device, lanes, comparison, random)) {
            for (int step = 0; step < 2 || (step < STEPS && comparison.drafts() < until); step++) {
                lanes.beginSwap();
                swaps++;
                if (step % 2 == 0) {
                    batch.stepThatWaitsOnce(step);
                } else {
                    batch.stepThatWaitsTwice(step);
                }
            }
        }
    }
}
