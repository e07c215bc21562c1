package io.tailrace.schemas;

/**
 * What is made of the time since a worker's last report on topic workers. Both mistakes cost something, and not the same: a command must not wait for a
 * worker that is gone, and nothing may be taken from one that is only silent. So a worker that was silent for a while is not counted any more,
 * but what it serves is kept for longer.
 */
public final class WorkerPresence {
    /** A worker reports at least so often. */
    public static final long REPORT_MILLIS_MAX = 5_000;
    /** One that was silent for longer is not counted as live: three reports are missing. */
    public static final long LIVE_MILLIS_MAX = 15_000;
    /** One that was silent for longer is gone: nothing is kept for it. */
    public static final long SILENT_MILLIS_MAX = 60_000;

    private WorkerPresence() {}

    /** True if the worker counts as live; times in epoch milliseconds. */
    public static boolean isLive(long reportedAtMillis, long nowMillis) {
        return reportedAtMillis >= nowMillis - LIVE_MILLIS_MAX;
    }

    /** True if what the worker serves is no longer kept for it. */
    public static boolean isGone(long reportedAtMillis, long nowMillis) {
        return reportedAtMillis < nowMillis - SILENT_MILLIS_MAX;
    }
}
