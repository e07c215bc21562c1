package io.tailrace.strategies;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PatternIndex;
import io.tailrace.suffix.draft.SourceKind;

/** A lane's parts asked for patterns, the freshest part first. */
final class LanePatterns {
    private LanePatterns() {}

    /** Adds the places of the context's last token in all parts; see {@link PatternIndex#occurrences}. */
    static void find(LaneIndex lane, int[] context, int length, int countMax, Occurrences into) {
        find(lane.fresh(), context, length, countMax, SourceKind.FRESH, into);
        find(lane.newest(), context, length, countMax, SourceKind.NEWEST, into);
        for (int i = lane.older().size() - 1; i >= 0; i--) {
            find(lane.older().get(i), context, length, countMax, SourceKind.OLDER, into);
        }
    }

    /** How many documents of the lane end with the context's last {@code patternLength} tokens. */
    static long endings(LaneIndex lane, int[] context, int length, int patternLength) {
        long endings = endings(lane.fresh(), context, length, patternLength)
                + endings(lane.newest(), context, length, patternLength);
        for (int i = 0; i < lane.older().size(); i++) {
            endings += endings(lane.older().get(i), context, length, patternLength);
        }
        return endings;
    }

    private static void find(
            OccurrenceIndex index, int[] context, int length, int countMax, SourceKind kind, Occurrences into) {
        if (index != null) {
            patterns(index).occurrences(context, length, countMax, kind.index(), into);
        }
    }

    private static long endings(OccurrenceIndex index, int[] context, int length, int patternLength) {
        return index == null ? 0 : patterns(index).endings(context, length, patternLength);
    }

    private static PatternIndex patterns(OccurrenceIndex index) {
        if (index instanceof PatternIndex patterns) {
            return patterns;
        }
        throw new IllegalArgumentException(
                "this strategy counts patterns: it needs an index that knows all occurrences (PatternIndex), got "
                        + index.getClass().getName());
    }
}
