package io.tailrace.operators.intake;

/**
 * For how long a shard has got no record, counted in horizons by a timer that is set a horizon ahead each time. After {@value #HORIZONS_MAX} timers in a row
 * without a record between them, no repeat that the shard would have to recognise can come any more.
 *
 * <p>Timers count, not the time of day: a job that was stopped or asleep, or whose clock jumped forward, gets one timer at once and the next a
 * horizon later, and reads meanwhile what came. A restart begins to count anew.
 */
final class Silence {
    static final int HORIZONS_MAX = 3;

    private long timerAt;
    private int horizons;

    /** The shard's timer is set for this time, and no other. */
    void waitsUntil(long millis) {
        timerAt = millis;
    }

    /** True for the shard's timer; a restored one goes with another task's count. */
    boolean isTimer(long millis) {
        return timerAt == millis;
    }

    /** A record came. */
    void heard() {
        horizons = 0;
    }

    /** A horizon is over. */
    void passed() {
        horizons++;
    }

    /** True if the shard need remember nothing. */
    boolean isOver() {
        return horizons >= HORIZONS_MAX;
    }
}
