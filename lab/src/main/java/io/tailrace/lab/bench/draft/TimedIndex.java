package io.tailrace.lab.bench.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PatternIndex;
import java.util.ArrayList;
import java.util.List;

/** Counts and times the searches of one index; reading the clock twice is part of the time. */
final class TimedIndex implements PatternIndex {
    private final OccurrenceIndex index;
    private final Searches searches;

    /** What the searches of one lane add up to. */
    static final class Searches {
        long count;
        long nanos;
        long found;
    }

    private TimedIndex(OccurrenceIndex index, Searches searches) {
        this.index = index;
        this.searches = searches;
    }

    static LaneIndex around(LaneIndex lane, Searches searches) {
        List<OccurrenceIndex> older = new ArrayList<>();
        lane.older().forEach(index -> older.add(new TimedIndex(index, searches)));
        return new LaneIndex(older, around(lane.newest(), searches), around(lane.fresh(), searches));
    }

    private static OccurrenceIndex around(OccurrenceIndex index, Searches searches) {
        return index == null ? null : new TimedIndex(index, searches);
    }

    @Override
    public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
        long start = System.nanoTime();
        int found = index.nearest(context, length, countMax, source, into);
        searches.nanos += System.nanoTime() - start;
        searches.count++;
        searches.found += found;
        return found;
    }

    @Override
    public Object content() {
        return index.content();
    }

    @Override
    public void occurrences(int[] context, int length, int countMax, int source, Occurrences into) {
        int before = into.size();
        long start = System.nanoTime();
        patterns().occurrences(context, length, countMax, source, into);
        searches.nanos += System.nanoTime() - start;
        searches.count++;
        searches.found += into.size() - before;
    }

    @Override
    public long endings(int[] context, int length, int patternLength) {
        return patterns().endings(context, length, patternLength);
    }

    private PatternIndex patterns() {
        return (PatternIndex) index;
    }
}
