package io.tailrace.agent.serve;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands reports of ended requests on, one after the other, in a thread of its own: a disk that takes its time costs no engine a draft. Where more
 * than {@value #WAITING_MAX} wait, whoever brings one waits, too.
 */
final class EndedReports implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndedReports.class);
    private static final int WAITING_MAX = 1_024;
    private static final long CLOSE_SECONDS_MAX = 10;

    private final AtomicLong failures = new AtomicLong();
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            work -> new Thread(work, "reports"),
            EndedReports::awaitRoom);

    /** @param over called once the report is handed on, or given up: one that cannot be handed on now never can */
    void add(Runnable report, Runnable over) {
        thread.execute(() -> handOn(report, over));
    }

    /** Does this once all reports so far are handed on. */
    void then(Runnable work) {
        add(work, () -> {});
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
            Thread.currentThread().interrupt();
        }
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
