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
 * The thread of a {@link SnapshotFollower}. Whatever the follower throws, the worker goes on with what it has loaded, and the thread tries
 * again: a broker that is away comes back, and a bug that all workers share must not stop them all at once. Only an {@link Error} ends the
 * thread, which {@link #failure} says; what is loaded stays live even then, until {@link #close}.
 */
final class FollowerThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerThread.class);
    private static final long RETRY_MILLIS = 1_000;
    private static final long CLOSE_MILLIS_MAX = 10_000;

    private final SnapshotFollower follower;
    private final Supplier<Optional<String>> unreachable;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile Throwable failure;
    private String lastTrouble;
    private String lastBug;

    /**
     * A thread that is not started yet.
     *
     * @param unreachable why no broker answers, with their addresses; empty: one does
     */
    FollowerThread(String name, SnapshotFollower follower, Supplier<Optional<String>> unreachable) {
        this.follower = follower;
        this.unreachable = unreachable;
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

    /** True from start to close, unless an error has ended it. */
    boolean alive() {
        return thread.isAlive();
    }

    private void run() {
        try {
            while (stopped.getCount() > 0) {
                pollOnce();
            }
        } catch (InterruptException e) {
            LOG.info("{} interrupted", thread.getName());
        } catch (Error e) {
            failure = e;
            LOG.error("{} ends; the snapshots loaded last stay live", thread.getName(), e);
        }
        if (failure == null) {
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
        } catch (KafkaException | SnapshotFollower.MissingTopicException e) {
            sayOnce(e.getMessage());
            pause();
        } catch (RuntimeException e) {
            broke(e);
        }
    }

    /** A bug: told once with its stack, however often it comes. */
    private void broke(RuntimeException bug) {
        if (!bug.toString().equals(lastBug)) {
            lastBug = bug.toString();
            LOG.error(
                    "{} broke and tries again each second; the snapshots loaded last stay live", thread.getName(), bug);
        }
        pause();
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
            closeAfterError();
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    /** What a thread that an error has ended left open. */
    private void closeAfterError() {
        if (failure != null && !thread.isAlive()) {
            follower.close();
        }
    }
}
