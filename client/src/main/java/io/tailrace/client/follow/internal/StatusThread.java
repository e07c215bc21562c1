package io.tailrace.client.follow.internal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that tells how each lane stands. A producer without brokers blocks for seconds a status: meanwhile lanes are followed on, and each
 * lane's next status says how it stands then.
 */
final class StatusThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatusThread.class);
    private static final long LOOK_MILLIS = 250;

    private final ServedLanes lanes;
    private final StatusTicker ticker;
    private final long closeMillisMax;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private boolean broken;

    /**
     * A thread that is not started yet.
     *
     * @param closeMillisMax how long {@link #close} waits for the last statuses
     */
    StatusThread(String name, ServedLanes lanes, StatusTicker ticker, long closeMillisMax) {
        this.lanes = lanes;
        this.ticker = ticker;
        this.closeMillisMax = closeMillisMax;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            do {
                each(ticker::tick);
            } while (!stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
            each(ticker::send);
        } catch (InterruptedException e) {
            LOG.info("{} interrupted; the last statuses may be unsent", thread.getName());
        }
    }

    private void each(ObjLongConsumer<ServedLane> tell) {
        try {
            for (ServedLane lane : lanes.all()) {
                if (thread.isInterrupted()) {
                    return;
                }
                tell.accept(lane, System.currentTimeMillis());
            }
        } catch (RuntimeException e) {
            if (!broken) {
                broken = true;
                LOG.error("{} broke and tries again; said once", thread.getName(), e);
            }
        }
    }

    /** Sends the status of each lane once more, if it can soon. */
    @Override
    public void close() {
        stopped.countDown();
        try {
            thread.join(closeMillisMax);
            thread.interrupt();
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
