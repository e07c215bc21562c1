package io.tailrace.agent.serve;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands reports of ended requests on, one after the other, in a thread of its own: a disk that takes its time costs no engine a draft. Where more
 * than {@value #WAITING_MAX} wait, or {@value #TOKENS_MAX} tokens in them, whoever brings one waits, too.
 */
final class EndedReports implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndedReports.class);
    private static final int WAITING_MAX = 1_024;
    static final int TOKENS_MAX = 1 << 24; // of 4 bytes, as much as a door keeps
    private static final long CLOSE_SECONDS_MAX = 10;
    private static final long LOOK_MILLIS = 100;

    private final AtomicLong failures = new AtomicLong();
    private final Semaphore tokens = new Semaphore(TOKENS_MAX, true);
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            work -> new Thread(work, "reports"),
            EndedReports::awaitRoom);

    /**
     * Hands a report on when its turn has come.
     *
     * @param size tokens in it
     * @param over called once the report is handed on, or given up: one that cannot be handed on now never can
     */
    void add(int size, Runnable report, Runnable over) {
        int taken = Math.min(size, TOKENS_MAX);
        awaitTokens(taken);
        try {
            thread.execute(() -> {
                try {
                    handOn(report, over);
                } finally {
                    tokens.release(taken);
                }
            });
        } catch (RejectedExecutionException e) {
            tokens.release(taken);
            throw e;
        }
    }

    /** Does this once all reports so far are handed on. */
    void then(Runnable work) {
        add(0, work, () -> {});
    }

    private void awaitTokens(int count) {
        try {
            while (!tokens.tryAcquire(count, LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (thread.isShutdown()) {
                    throw new RejectedExecutionException("the agent stops");
                }
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Whether none is taken any more. */
    boolean closed() {
        return thread.isShutdown();
    }

    /** Reports that were given up. */
    long failures() {
        return failures.get();
    }

    private static void awaitRoom(Runnable report, ThreadPoolExecutor thread) {
        if (thread.isShutdown()) {
            throw new RejectedExecutionException("the agent stops");
        }
        try {
            thread.getQueue().put(report);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static RejectedExecutionException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new RejectedExecutionException("interrupted while reports wait for the disk", e);
    }

    /** Whatever is wrong with one report, the next is handed on. */
    private void handOn(Runnable report, Runnable over) {
        try {
            report.run();
        } catch (RuntimeException e) {
            LOG.error("a report could not be handed on and is given up ({} so far)", failures.incrementAndGet(), e);
        } finally {
            over.run();
        }
    }

    /** Hands on what waits. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn(
                        "{} reports are lost with this agent",
                        thread.shutdownNow().size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
