package io.tailrace.client.follow.internal;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Freshness of one lane, to 1 %: completion of a generation to the moment this worker could draft from a snapshot of it. The completion
 * times that manifests add wait here until a version at least as new is loaded; that moment counts for all of them, so a version that
 * was skipped is not left out. What was completed before the worker started is no sample, nor what an operator's pin or
 * rollback held back. Beside it, how soon the worker had heard of other workers' answers. Percentiles are of the last ten to twenty minutes: over a
 * worker's whole life they would hide what is slow now, and without an end what was slow once would stay. Not thread-safe.
 */
final class FreshnessLog {
    /** Beyond it the oldest waiting times are given up: they are not counted, and fold fresh generations only by their age. */
    static final int WAITING_TIMES_MAX = 1 << 18;

    private static final long MILLIS_MAX = 24L * 3600 * 1000;
    private static final long WINDOW_MILLIS = 600_000;

    private long startedAtMillis;
    private final Samples loaded = new Samples();
    private final Samples heard = new Samples();
    private final TreeMap<Long, Waiting> waiting = new TreeMap<>();
    private int waitingTimes;
    private long givenUp;

    private record Waiting(long[] times, boolean sampled) {}

    FreshnessLog(long startedAtMillis) {
        this.startedAtMillis = startedAtMillis;
    }

    /** A worker that was started by a clock that was ahead counts as started when it has been put right. */
    void lookAtClock(long nowMillis) {
        startedAtMillis = Math.min(startedAtMillis, nowMillis);
    }

    /**
     * A manifest was announced.
     *
     * @param heldBack an operator keeps the worker from loading it
     */
    void announced(long version, long[] completionTimes, boolean heldBack) {
        long[] times =
                Arrays.stream(completionTimes).filter(t -> t >= startedAtMillis).toArray();
        if (times.length == 0) {
            return;
        }
        Waiting before = waiting.put(version, new Waiting(times, !heldBack));
        waitingTimes += times.length - (before == null ? 0 : before.times.length);
        while (waitingTimes > WAITING_TIMES_MAX && waiting.size() > 1) {
            int oldest = waiting.pollFirstEntry().getValue().times.length;
            waitingTimes -= oldest;
            givenUp += oldest;
        }
    }

    /** From now on an operator holds the lane at a version: what waits is no sample any more. */
    void holdBack() {
        waiting.replaceAll((version, times) -> new Waiting(times.times, false));
    }

    /** A version was loaded; returns the completion times that it and the versions skipped on the way to it have added. */
    long[] loaded(long version, long nowMillis) {
        Map<Long, Waiting> until = waiting.headMap(version, true);
        long[] folded =
                new long[until.values().stream().mapToInt(w -> w.times.length).sum()];
        int count = 0;
        for (Waiting w : until.values()) {
            for (long time : w.times) {
                folded[count++] = time;
                if (w.sampled) {
                    loaded.record(nowMillis - time, nowMillis);
                }
            }
        }
        waitingTimes -= count;
        until.clear();
        return folded;
    }

    /** Another worker's answer may be drafted from now. */
    void heard(long completedAtMillis, long nowMillis) {
        heard.record(nowMillis - completedAtMillis, nowMillis);
    }

    /** Times given up because too many waited. */
    long givenUp() {
        return givenUp;
    }

    long samples() {
        return loaded.count();
    }

    /** -1: none measured of late. */
    long percentileMillis(double percentile, long nowMillis) {
        return loaded.recentPercentileMillis(percentile, nowMillis);
    }

    long heardSamples() {
        return heard.count();
    }

    /** -1: none measured of late. */
    long heardPercentileMillis(double percentile, long nowMillis) {
        return heard.recentPercentileMillis(percentile, nowMillis);
    }

    /** All samples so far. */
    Histogram copy() {
        return loaded.copy();
    }

    Histogram heardCopy() {
        return heard.copy();
    }

    private static Histogram histogram() {
        return new Histogram(MILLIS_MAX, 2);
    }

    /** Takes no room, some 60 KB, before the first: many lanes never have one. */
    private static final class Samples {
        private Histogram all;
        private Histogram recent;
        private Histogram before;
        private long recentWindow = Long.MIN_VALUE;

        void record(long millis, long nowMillis) {
            if (all == null) {
                all = histogram();
                recent = histogram();
                before = histogram();
            }
            rotate(nowMillis);
            long bounded = Math.max(0, Math.min(MILLIS_MAX, millis));
            all.recordValue(bounded);
            recent.recordValue(bounded);
        }

        long count() {
            return all == null ? 0 : all.getTotalCount();
        }

        Histogram copy() {
            return all == null ? histogram() : all.copy();
        }

        long recentPercentileMillis(double percentile, long nowMillis) {
            if (all == null) {
                return -1;
            }
            rotate(nowMillis);
            Histogram both = before.copy();
            both.add(recent);
            return both.getTotalCount() == 0 ? -1 : both.getValueAtPercentile(percentile);
        }

        private void rotate(long nowMillis) {
            long window = Math.floorDiv(nowMillis, WINDOW_MILLIS);
            if (window != recentWindow) { // a clock may have been put back
                before.reset();
                if (window == recentWindow + 1) {
                    before.add(recent);
                }
                recent.reset();
                recentWindow = window;
            }
        }
    }
}
