package io.tailrace.schemas;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the records that a reader leaves out, and says which of them to log: the first at once, then at most one a minute. A topic full of
 * junk must not fill the log as well. Safe for any number of threads.
 *
 * <pre>{@code
 * long untold = skipped.add(System.currentTimeMillis());
 * if (untold > 0) {
 *     LOG.warn("{}-{} offset {} skipped, {} since the last such line: {}", ..., untold, e.getMessage());
 * }
 * }</pre>
 */
public final class SkippedRecords {
    /** At least so long lies between two that are to be logged. */
    public static final long BETWEEN_MILLIS = 60_000;

    private final AtomicLong total = new AtomicLong();
    private long told;
    private long toldAtMillis;

    /** How many were skipped. */
    public long total() {
        return total.get();
    }

    /** Counts one; returns how many are to be told, this one among them, or 0: say nothing now. */
    public synchronized long add(long nowMillis) {
        long all = total.incrementAndGet();
        if (told > 0 && nowMillis >= toldAtMillis && nowMillis < toldAtMillis + BETWEEN_MILLIS) {
            return 0;
        }
        long untold = all - told;
        told = all;
        toldAtMillis = nowMillis;
        return untold;
    }
}
