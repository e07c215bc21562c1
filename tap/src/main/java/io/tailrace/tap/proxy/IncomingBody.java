package io.tailrace.tap.proxy;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The time that a client takes for the body of its request. Counts only while the client is waited for, not while the server takes no more. A body of
 * which the client sends nothing for too long is given up, and so is one that is waited for too long in all. Safe for any number of threads.
 */
final class IncomingBody {
    /** As many of the longest pauses as a client may make in all. */
    private static final int PAUSES_MAX = 10;

    private final IncomingBodies bodies;
    private final Scheduler scheduler;
    private final long pauseNanosMax;
    private final Consumer<Refusal> giveUp;
    private Scheduler.Task check;
    /** Among all bodies, once it has been waited for. */
    private long number;

    private boolean waiting;
    private long waitingSinceNanos;
    /** In all pauses before. */
    private long waitedNanos;

    private boolean over;

    /**
     * A body that nobody waits for yet.
     *
     * @param giveUp called at most once, under no lock
     */
    IncomingBody(IncomingBodies bodies, Scheduler scheduler, long pauseNanosMax, Consumer<Refusal> giveUp) {
        this.bodies = bodies;
        this.scheduler = scheduler;
        this.pauseNanosMax = pauseNanosMax;
        this.giveUp = giveUp;
    }

    /** There is nothing to read before the client sends more. */
    void waits() {
        IncomingBody first;
        synchronized (this) {
            if (over || waiting) {
                return;
            }
            waiting = true;
            waitingSinceNanos = System.nanoTime();
            if (check == null) {
                number = bodies.number();
                checkAfter(pauseNanosMax);
            }
            first = bodies.waits(number, this);
        }
        if (first != null) {
            first.giveUp(Refusal.CROWDED);
        }
    }

    /** There is something to read. */
    synchronized void came() {
        if (waiting) {
            waiting = false;
            waitedNanos += System.nanoTime() - waitingSinceNanos;
            bodies.came(number);
        }
    }

    /** Nobody waits for it any more. */
    void end() {
        finish();
    }

    void giveUp(Refusal why) {
        if (finish()) {
            giveUp.accept(why);
        }
    }

    /** Whether it was not over before, and somebody had begun to wait for it. */
    private synchronized boolean finish() {
        boolean begun = !over && check != null;
        over = true;
        if (begun) {
            check.cancel();
            bodies.came(number);
        }
        return begun;
    }

    private void check() {
        synchronized (this) {
            long pauseNanos = waiting ? System.nanoTime() - waitingSinceNanos : 0;
            long leftNanos =
                    Math.min(pauseNanosMax - pauseNanos, PAUSES_MAX * pauseNanosMax - waitedNanos - pauseNanos);
            if (over || leftNanos > 0) {
                if (!over) {
                    checkAfter(leftNanos);
                }
                return;
            }
        }
        giveUp(Refusal.SLOW);
    }

    private void checkAfter(long nanos) {
        check = scheduler.schedule(this::check, nanos, TimeUnit.NANOSECONDS);
    }
}
