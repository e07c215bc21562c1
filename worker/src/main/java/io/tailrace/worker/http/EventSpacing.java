package io.tailrace.worker.http;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * When the pieces of one answer go out: on a grid of times that begins with its call. Each piece has the first of them that has not passed when
 * it is there, and none has two. So what a caller sees depends on when a piece was there only where it was not there in time: where decoding
 * has kept up, it does not. One thread.
 */
final class EventSpacing {
    private static final long NONE = -1;

    private final long nanos;
    private final long begunNanos;
    private final CountDownLatch ending;
    private final Runnable late;
    private long tick = NONE;

    /**
     * The grid of one call that has just come.
     *
     * @param visibility without a spacing nothing ever waits
     * @param ending once it is down nothing waits any more
     * @param late told of each piece but the first that missed the time behind the one before it
     */
    EventSpacing(DraftVisibility visibility, CountDownLatch ending, Runnable late) {
        this.nanos = TimeUnit.MILLISECONDS.toNanos(visibility.eventMillis());
        this.begunNanos = System.nanoTime();
        this.ending = ending;
        this.late = late;
    }

    /** Waits for the time of a piece that is there now. */
    void await() throws InterruptedException {
        if (nanos == 0) {
            return;
        }
        long elapsed = System.nanoTime() - begunNanos;
        long mine = tick(tick, elapsed, nanos);
        if (tick != NONE && mine > tick + 1) {
            late.run();
        }
        tick = mine;
        ending.await(tick * nanos - elapsed, TimeUnit.NANOSECONDS);
    }

    /** Which of the times is that of a piece that is there so long after the call, behind the one before it. */
    static long tick(long before, long elapsedNanos, long nanos) {
        long notPassed = (elapsedNanos + nanos - 1) / nanos;
        return Math.max(before + 1, notPassed);
    }
}
