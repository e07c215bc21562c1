package io.tailrace.operators.publishing;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What a task knows of a lane's files in the store: when to sweep and read back, what was found, and what could not be read so often that it is given up.
 * Only the queues, {@link #sweep}, {@link #sweepPace} and {@link #readBack} are touched by side threads.
 */
final class LaneFiles {
    /** One file of a lane is read back in that time. */
    private static final long SCRUB_MILLIS = 300_000;
    /** A file that could not be read so often in a row, ... */
    private static final int UNREADABLE_TIMES = 3;
    /** ... for so long, is given up. */
    private static final long UNREADABLE_MILLIS = 30_000;

    final StoreSweep sweep;
    final SweepPace sweepPace;
    final ReadBack readBack = new ReadBack();
    volatile boolean sweepInFlight;

    /** Paths that the store did not give as they were written, once for each time, and such that were written again. */
    final Queue<String> unreadable = new ConcurrentLinkedQueue<>();

    final Queue<String> mended = new ConcurrentLinkedQueue<>();
    /** Such that it gave as they were written. */
    final Queue<String> intact = new ConcurrentLinkedQueue<>();
    /** Paths of which every reading failed since then. */
    private final Map<String, Unreadable> notRead = new HashMap<>();

    private long nextScrubAt = Long.MIN_VALUE;
    private String scrubbedLast = "";

    LaneFiles(String lane, long sweepGraceMillis) {
        sweep = new StoreSweep(lane, sweepGraceMillis);
        sweepPace = new SweepPace(lane);
    }

    /** Nothing waits for the time that the clock was set back from. */
    void clockWasSetBack() {
        nextScrubAt = Long.MIN_VALUE;
        notRead.clear();
    }

    /** How often in a row a file could not be read. */
    private record Unreadable(int times, long sinceMillis) {
        boolean isForGood(long nowMillis) {
            return times >= UNREADABLE_TIMES && nowMillis - sinceMillis >= UNREADABLE_MILLIS;
        }
    }

    /** Counts a time at which a file could not be read; true if it is to be given up. */
    boolean isGivenUp(String path, long nowMillis) {
        Unreadable counted = notRead.merge(
                path,
                new Unreadable(1, nowMillis),
                (before, one) -> new Unreadable(before.times + 1, before.sinceMillis));
        if (!counted.isForGood(nowMillis)) {
            return false;
        }
        notRead.remove(path);
        return true;
    }

    /** A file was read as it was written. */
    void readable(String path) {
        notRead.remove(path);
    }

    /** The file to read back now, one after the other, if it is time. */
    Optional<String> scrubbed(Set<String> named, long nowMillis) {
        if (nowMillis < nextScrubAt) {
            return Optional.empty();
        }
        nextScrubAt = nowMillis + SCRUB_MILLIS;
        TreeSet<String> sorted = new TreeSet<>(named);
        if (sorted.isEmpty()) {
            return Optional.empty();
        }
        String next = sorted.higher(scrubbedLast);
        scrubbedLast = next == null ? sorted.first() : next;
        return Optional.of(scrubbedLast);
    }
}
