package io.tailrace.lab.bench.draft;

import io.tailrace.operators.publishing.PublishingOptions;
import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * Which stretch of a lane's generations each segment holds, oldest first and the newest last, when the lane has grown under
 * the job's own planner. The job folds what has arrived once a second or so; here a fold holds {@value #FOLD_TOKENS} tokens.
 *
 * @param ends index after the last generation of each segment
 */
record LaneGrowth(int[] ends) {
    static final int FOLD_TOKENS = 16_384;
    private static final PublishingOptions OPTIONS = PublishingOptions.defaults();

    /**
     * Grows a lane up to the first moment from {@code tokens} on at which the planner has three older segments and the newest
     * is a quarter full: the middle of the time that a lane spends with four segments.
     *
     * @param generationTokens length of each generation, oldest first
     */
    static LaneGrowth grow(int[] generationTokens, long tokens) {
        Growth growth = new Growth();
        long grown = 0;
        long folding = 0;
        for (int i = 0; i < generationTokens.length; i++) {
            folding += generationTokens[i];
            if (folding >= FOLD_TOKENS) {
                growth.fold(folding, i + 1);
                grown += folding;
                folding = 0;
                if (grown >= tokens && growth.isTypical()) {
                    break;
                }
            }
        }
        return growth.layout();
    }

    int generations() {
        return ends.length == 0 ? 0 : ends[ends.length - 1];
    }

    /** Segments as they stand while the lane grows. */
    private static final class Growth {
        private final SegmentPlanner planner = OPTIONS.planner();
        private final List<Part> older = new ArrayList<>();
        private Part newest = new Part(0, 0);

        private record Part(long tokens, int end) {}

        void fold(long tokens, int end) {
            if (planner.graduates(newest.tokens(), 0, older.size(), tokens)) {
                older.add(newest);
                newest = new Part(0, end);
            }
            newest = new Part(newest.tokens() + tokens, end);
            long[] sizes = older.stream().mapToLong(Part::tokens).toArray();
            OptionalInt from = planner.mergeFrom(sizes, newest.tokens(), 0);
            if (from.isPresent()) {
                List<Part> merged = older.subList(from.getAsInt(), older.size());
                long together = merged.stream().mapToLong(Part::tokens).sum();
                int last = merged.get(merged.size() - 1).end();
                merged.clear();
                older.add(new Part(together, last));
            }
        }

        boolean isTypical() {
            return older.size() == SegmentPlanner.OLDER_MAX && newest.tokens() >= OPTIONS.newestTokensMax() / 4;
        }

        LaneGrowth layout() {
            int[] ends = Arrays.copyOf(older.stream().mapToInt(Part::end).toArray(), older.size() + 1);
            ends[older.size()] = newest.end();
            return new LaneGrowth(ends);
        }
    }
}
