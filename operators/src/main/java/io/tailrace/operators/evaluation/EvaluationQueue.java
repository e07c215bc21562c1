package io.tailrace.operators.evaluation;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.flink.metrics.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task's evaluations, done one after the other by a thread beside the task's own, which never waits for them: while it evaluated, samples would pile up in
 * front of it, and Flink would make the shards that send them wait. So where more comes than can be evaluated, or than
 * the allowance has time for, it is left out and counted, unless nothing shall be. Everything is done in order: what an evaluation reads is let go of by
 * {@link #after}, behind it.
 */
final class EvaluationQueue {
    /** Of one task; a sample has up to 12,288 tokens, so 12 MiB at most. */
    static final int WAITING_MAX = 256;

    private static final Logger LOG = LoggerFactory.getLogger(EvaluationQueue.class);
    private static final long CLOSE_SECONDS_MAX = 10;

    private final ExecutorService thread;
    private final Allowance allowance;
    private final Counter evaluated;
    private final Counter skipped;
    private final boolean complete;
    private final Semaphore room = new Semaphore(WAITING_MAX);
    private volatile Throwable failure;
    private volatile boolean closed;

    /**
     * An empty queue.
     *
     * @param thread one; this owns it
     * @param busyShareMax share of the thread's time; 1: nothing is left out, so whoever offers waits where too many do
     * @param evaluated any thread counts, likewise {@code skipped}
     */
    EvaluationQueue(ExecutorService thread, double busyShareMax, Counter evaluated, Counter skipped) {
        this.thread = thread;
        this.allowance = new Allowance(busyShareMax, System.nanoTime());
        this.complete = busyShareMax == 1;
        this.evaluated = evaluated;
        this.skipped = skipped;
    }

    /**
     * Takes an evaluation in, unless too many wait; it may be left out later, too.
     *
     * @param evaluation false: it could not be done after all, and is counted as left out
     * @param ended is run in any case once it is done or left out
     */
    void offer(BooleanSupplier evaluation, Runnable ended) throws InterruptedException {
        if (complete) {
            room.acquire();
        } else if (!room.tryAcquire()) {
            skipped.inc();
            ended.run();
            return;
        }
        thread.execute(() -> {
            try {
                run(evaluation);
            } catch (Throwable e) { // the top of this thread: check() throws it in the task's
                failure = e;
            } finally {
                room.release();
                ended.run();
            }
        });
    }

    private void run(BooleanSupplier evaluation) {
        long began = System.nanoTime();
        if (closed || failure != null || !allowance.allows(began)) {
            skipped.inc();
            return;
        }
        boolean done = evaluation.getAsBoolean();
        allowance.spend(System.nanoTime() - began);
        (done ? evaluated : skipped).inc();
    }

    /** Runs when all that was taken in so far is done. */
    void after(Runnable work) {
        if (closed) {
            work.run(); // nothing is evaluated any more, see close
        } else {
            thread.execute(work);
        }
    }

    /** An evaluation that broke fails its task, as it would have in the task's own thread. */
    void check() {
        if (failure != null) {
            throw new IllegalStateException("an evaluation broke", failure);
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends: what waits is left out. {@code last} is run behind the evaluation that runs. */
    void close(Runnable last) throws InterruptedException {
        closed = true;
        thread.execute(last);
        thread.shutdown();
        if (!thread.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
            LOG.warn("a generation is still being evaluated after {} s; its files are left behind", CLOSE_SECONDS_MAX);
        }
    }

    /**
     * Bounds what evaluation takes of the machine: a share of one thread's time, with a little saved for bursts. Where more comes
     * than that, as after a restart, samples are skipped.
     */
    static final class Allowance {
        private static final long SAVED_NANOS_MAX = 250_000_000L;

        private final double share;
        private long lastNanos;
        private double saved = SAVED_NANOS_MAX;

        Allowance(double share, long nowNanos) {
            this.share = share;
            this.lastNanos = nowNanos;
        }

        /** Whether there is time for one more. */
        boolean allows(long nowNanos) {
            saved = Math.min(SAVED_NANOS_MAX, saved + share * (nowNanos - lastNanos));
            lastNanos = nowNanos;
            return saved > 0;
        }

        /** An evaluation took so long. */
        void spend(long nanos) {
            saved -= nanos;
        }
    }
}
