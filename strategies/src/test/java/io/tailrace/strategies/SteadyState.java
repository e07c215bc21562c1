package io.tailrace.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.segment.FreshIndex;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;

/** A long request of random text over a lane of the like, for tests. */
final class SteadyState {
    private static final int BEGUN = 500;
    private static final int TOKENS = 1_500;

    private SteadyState() {}

    /** Rounds of the same request: the best of them is without what is done once. */
    static void allocatesNothing(Drafter drafter) {
        Random random = new Random(3);
        FreshIndex newest = new FreshIndex(1 << 20);
        for (int i = 0; i < 40; i++) {
            newest.add(random.ints(40, 0, 12).toArray(), i);
        }
        LaneIndex lane = new LaneIndex(List.of(), newest, null);
        int[] text = random.ints(TOKENS, 0, 12).toArray();
        int[] next = new int[1];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            drafter.begin(text, BEGUN);
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int at = BEGUN; at < text.length; at++) {
                drafter.draft(lane, 31);
                next[0] = text[at];
                drafter.verified(next, 1);
            }
            bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(bytes).isLessThan((TOKENS - BEGUN) / 10);
    }
}
