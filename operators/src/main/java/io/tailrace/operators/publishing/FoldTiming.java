package io.tailrace.operators.publishing;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.RecentMedian;

/**
 * When a lane's fold begins: so long before a checkpoint that its announcement is made just in time for it, for what is announced
 * becomes visible with a checkpoint only. The fold then takes along everything that has come until then. How long a fold takes is learned from those before.
 */
final class FoldTiming {
    static final long NOT_SET = Long.MIN_VALUE;
    /** A checkpoint may come this much sooner than foretold, ... */
    private static final long MARGIN_MILLIS = 40;
    /** ... and a fold take this many times as long as usual: to be late costs a checkpoint, to be early its own time only. */
    private static final int TIMES_USUAL = 2;

    private final CheckpointRhythm rhythm;
    private final long announceMillis;
    private final RecentMedian foldMillis = new RecentMedian();
    private long foldAt = NOT_SET;

    FoldTiming(CheckpointRhythm rhythm, long announceMillis) {
        this.rhythm = rhythm;
        this.announceMillis = announceMillis;
    }

    /** A fold took so long from its plan to its adoption. */
    void took(long millis) {
        foldMillis.add(millis);
    }

    /**
     * True if a fold that is needed begins now. Asked again and again: the moment is chosen when a need is first seen, and later only for an earlier one. So
     * what was foretold from checkpoints that a machine's sleep lies between holds nothing back once others have passed.
     *
     * @param announceableAt when the lane's next announcement may be made
     */
    boolean isTime(long nowMillis, long announceableAt) {
        if (foldAt == NOT_SET || foldAt > nowMillis) {
            long chosen = chosen(nowMillis, announceableAt);
            foldAt = foldAt == NOT_SET ? chosen : Math.min(foldAt, chosen);
        }
        return foldAt <= nowMillis;
    }

    /** The moment chosen, or {@link #NOT_SET}. */
    long foldAt() {
        return foldAt;
    }

    /** A fold was begun, or none is needed; the next one's moment is chosen anew. */
    void clear() {
        foldAt = NOT_SET;
    }

    /** How long before its announcement a fold is begun. */
    long leadMillis() {
        return Math.min(foldMillis.value(), announceMillis);
    }

    private long chosen(long nowMillis, long announceableAt) {
        long lead = TIMES_USUAL * leadMillis() + MARGIN_MILLIS;
        long earliest = Math.max(nowMillis + leadMillis(), announceableAt) + MARGIN_MILLIS;
        return rhythm.next(nowMillis, earliest).orElse(earliest) - lead;
    }
}
