package io.tailrace.client.follow.internal;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a {@link SnapshotFollower}. A broker that is away is a bad world: the worker goes on with what it has loaded,
 * and the thread tries again. Anything else that is thrown is a bug: the thread ends and says so in {@link #failure}.
 */
final class FollowerThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerThread.class);
    private static final long RETRY_MILLIS = 1_000;
    private static final long CLOSE_MILLIS_MAX = 10_000;

    private final SnapshotFollower follower;
    private final Supplier<Optional<String>> unreachable;
    private final Runnable afterEachPoll;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile Throwable failure;
    private String lastTrouble;

    /**
     * A thread that is not started yet.
     *
     * @param unreachable why no broker answers, with their addresses; empty: one does
     * @param afterEachPoll runs in the thread, also while the broker is away; must be quick
     */
    FollowerThread(
            String name, SnapshotFollower follower, Supplier<Optional<String>> unreachable, Runnable afterEachPoll) {
        this.follower = follower;
        this.unreachable = unreachable;
        this.afterEachPoll = afterEachPoll;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Why the thread has ended, or null. */
    Throwable failure() {
        return failure;
    }

    /** True from start to close, unless it failed. */
    boolean alive() {
        return thread.isAlive();
    }

    private void run() {
        try {
            while (stopped.getCount() > 0) {
                pollOnce();
                afterEachPoll.run();
            }
        } catch (InterruptException e) {
            LOG.info("{} interrupted", thread.getName());
        } catch (RuntimeException | Error e) {
            failure = e;
            LOG.error("{} ends; the snapshots loaded last stay live", thread.getName(), e);
        } finally {
            follower.close();
        }
    }

    private void pollOnce() {
        try {
            follower.poll();
            lastTrouble = null;
        } catch (InterruptException e) {
            throw e;
        } catch (WakeupException e) {
            LOG.debug("{} was woken to stop", thread.getName());
        } catch (TimeoutException e) {
            sayOnce(unreachable.get().orElse(e.getMessage()));
            pause();
        } catch (KafkaException | MissingTopicException e) {
            sayOnce(e.getMessage());
            pause();
        }
    }

    private void sayOnce(String trouble) {
        if (!String.valueOf(trouble).equals(lastTrouble)) {
            LOG.warn("{} cannot read, trying again each second: {}", thread.getName(), trouble);
            lastTrouble = String.valueOf(trouble);
        }
    }

    /** Ends early when the thread is stopped. */
    private void pause() {
        try {
            if (stopped.await(RETRY_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.debug("{} stops while the broker is away", thread.getName());
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    @Override
    public void close() {
        stopped.countDown();
        if (thread.getState() == Thread.State.NEW) {
            follower.close();
            return;
        }
        follower.wakeUp();
        try {
            thread.join(CLOSE_MILLIS_MAX / 2);
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(CLOSE_MILLIS_MAX / 2);
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
