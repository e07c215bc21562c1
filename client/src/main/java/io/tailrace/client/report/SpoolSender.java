package io.tailrace.client.report;

import io.tailrace.schemas.ReportTopics;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.utils.ExponentialBackoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that empties a spool into Kafka, round by round ({@link SpoolDelivery}). What a round does not bring there is tried again and again. */
final class SpoolSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolSender.class);
    private static final long WAIT_MILLIS = 100;
    private static final long RETRY_MILLIS_MIN = 100;
    private static final ExponentialBackoff BETWEEN_TRIES = new ExponentialBackoff(RETRY_MILLIS_MIN, 2, 5_000, 0);

    private final Spool spool;
    private final Unspooled unspooled;
    private final SpoolDelivery delivery;
    private final Duration drainTimeMax;
    private final Thread thread;
    private final Object pausing = new Object();
    private volatile long stopAtNanos = Long.MAX_VALUE;
    private volatile boolean stopping;

    /**
     * A sender that is not started yet. Spool and producer stay their owners'.
     *
     * @param drainTimeMax how long {@link #close} goes on sending
     */
    SpoolSender(
            String name,
            Spool spool,
            Unspooled unspooled,
            LateProducer producer,
            ReportTopics topics,
            Duration drainTimeMax) {
        this.spool = spool;
        this.unspooled = unspooled;
        this.delivery = new SpoolDelivery(name, spool, unspooled, producer, topics);
        this.drainTimeMax = drainTimeMax;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** What the thread does, for whoever does it without one. */
    SpoolDelivery delivery() {
        return delivery;
    }

    /** False if the thread has ended though nobody closed it. */
    public boolean live() {
        return thread.isAlive() || stopping;
    }

    /** Records that the brokers will never take. */
    public long givenUp() {
        return delivery.givenUp();
    }

    /** Sends what waits, for a while; the rest stays in the spool for the next start, if the disk takes it. */
    @Override
    public void close() {
        stopAtNanos = System.nanoTime() + drainTimeMax.toNanos();
        synchronized (pausing) {
            stopping = true;
            pausing.notifyAll();
        }
        try {
            thread.join(drainTimeMax.toMillis() + 1);
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
        delivery.spoolAfterAll();
        int lost = unspooled.abandon();
        if (lost > 0) {
            LOG.error("{} reports are lost: neither Kafka nor the spool's disk takes them", lost);
        }
        if (spool.pendingRecords() > 0) {
            LOG.warn("{} records stay in the spool; the next start sends them", spool.pendingRecords());
        }
    }

    private void run() {
        int failures = 0;
        try {
            while (!stopping || (delivery.pendingRecords() > 0 && System.nanoTime() < stopAtNanos)) {
                failures = delivery.round(WAIT_MILLIS) ? 0 : failures + 1;
                pause(failures == 0 ? 0 : BETWEEN_TRIES.backoff(failures - 1));
            }
        } catch (InterruptedException | InterruptException e) {
            LOG.info("{} stops with {} records unsent", thread.getName(), delivery.pendingRecords());
        }
    }

    /** Waits before it tries again; {@link #close} ends the wait for the last tries, which follow each other more closely. */
    private void pause(long millis) throws InterruptedException {
        synchronized (pausing) {
            long soonest = Math.min(millis, RETRY_MILLIS_MIN);
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(stopping ? soonest : millis);
            boolean wasStopping = stopping;
            for (long left = until - System.nanoTime();
                    left > 0 && stopping == wasStopping;
                    left = until - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(pausing, left);
            }
        }
    }
}
