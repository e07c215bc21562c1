package io.tailrace.operators.publishing;

import java.util.Set;

/**
 * When a lane's folder is swept: each time that it may be, as long as there is something to find. Something is to be found where the lane names other files
 * than before, where a merge has ended, and where the last sweep found a file unnamed, missing or not yet read back, or got no answer. Each sweep that finds
 * nothing of it doubles the time until the next, up to {@link #REST_MILLIS_MAX}: of most lanes of a large installation nobody asks anything, and a sweep of
 * them costs a listing.
 *
 * <p>What a crash leaves behind is found soon, since a publisher that begins sweeps at once. What somebody else puts into the folder of a lane that rests, as
 * a job that was replaced and still writes, is found when the rest is over. Safe for any number of threads.
 */
final class SweepPace {
    static final long BEGIN_MILLIS = 30_000;
    static final long REST_MILLIS_MAX = 3_600_000;
    /** Rests are shorter by up to this part, another one for each lane: those that began at one time do not end at one time. */
    private static final int SPREAD_PART = 8;

    private final double shorter;
    private Set<String> named = Set.of();
    private long restMillis = BEGIN_MILLIS;
    private boolean begun;
    private long begunAtMillis;

    SweepPace(String lane) {
        shorter = Math.floorMod(lane.hashCode(), 1 << 16) / (double) (1 << 16) / SPREAD_PART;
    }

    /** True if a sweep is to begin; it counts as begun. Also where the clock was set back. */
    synchronized boolean begins(Set<String> nowNamed, long nowMillis) {
        if (!nowNamed.equals(named)) {
            named = nowNamed;
            soon();
        }
        boolean rests = begun && nowMillis >= begunAtMillis && nowMillis - begunAtMillis < rest();
        if (!rests) {
            begun = true;
            begunAtMillis = nowMillis;
        }
        return !rests;
    }

    private long rest() {
        return restMillis == BEGIN_MILLIS ? restMillis : (long) (restMillis * (1 - shorter));
    }

    /** The sweep found all that is named intact, and nothing else. */
    synchronized void foundNothing() {
        restMillis = Math.min(REST_MILLIS_MAX, 2 * restMillis);
    }

    /** There is something to find. */
    synchronized void soon() {
        restMillis = BEGIN_MILLIS;
    }
}
