package io.tailrace.operators.outcomes;

import java.util.Arrays;

/**
 * The outcomes that a lane has had lately, by their hashes. A worker sends again what a broker has not acknowledged, at most a batch of its spool,
 * and the broker may have it all the same. Beyond {@link #KEPT_MAX} the oldest is forgotten, and would count once more. A look is a scan of 32 KiB
 * at most, which a checkpoint holds, too.
 */
public final class RecentOutcomes {
    static final int KEPT_MAX = 4_096;
    private static final int KEPT_MIN = 64;

    /** A ring; it grows until it has {@link #KEPT_MAX} places. */
    public long[] hashes = {};
    /** How many were ever added. */
    public long added;

    /** False if it is there already. */
    boolean add(long hash) {
        int kept = (int) Math.min(added, KEPT_MAX);
        for (int i = 0; i < kept; i++) {
            if (hashes[i] == hash) {
                return false;
            }
        }
        if (kept == hashes.length && kept < KEPT_MAX) {
            hashes = Arrays.copyOf(hashes, Math.max(KEPT_MIN, 2 * kept));
        }
        hashes[(int) (added++ % KEPT_MAX)] = hash;
        return true;
    }
}
