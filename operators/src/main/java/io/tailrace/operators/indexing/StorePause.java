package io.tailrace.operators.indexing;

/**
 * For a while after a flush that the store did not take, none of the task's shards tries one: each try takes the task's time, and all shards share the
 * store. The pause doubles with each failure up to {@value #MILLIS_MAX} ms, and is over where the clock was set back.
 */
final class StorePause {
    static final long MILLIS_MIN = 500;
    static final long MILLIS_MAX = 4_000;

    private long millis;
    private long failedAt;

    boolean lasts(long nowMillis) {
        return millis > 0 && nowMillis >= failedAt && nowMillis - failedAt < millis;
    }

    void failed(long nowMillis) {
        millis = Math.max(MILLIS_MIN, Math.min(MILLIS_MAX, 2 * millis));
        failedAt = nowMillis;
    }

    void ended() {
        millis = 0;
    }
}
