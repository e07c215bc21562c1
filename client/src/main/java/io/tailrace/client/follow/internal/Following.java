package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.schemas.WorkerStatus;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps a worker's lanes at the versions that are announced, and tells the fleet what is served. Starts and goes on while the brokers are away, or their
 * names do not resolve:
 * a thread reads, two threads load, one tells.
 */
public final class Following implements AutoCloseable {
    private static final int LOADING_THREADS = 2;
    private static final long CLOSE_SECONDS_MAX = 5;

    private final SnapshotFollower follower;
    private final FollowerThread thread;
    private final ExecutorService loads;
    private final StatusThread statuses;

    /**
     * Follows nothing before its {@link #start}; the cache folder is opened now.
     *
     * @param worker its name in the fleet; threads are named by it
     * @param workerClass whose cost curve its step times belong to
     * @param reports takes a lane's status, now and then, in a thread that it may hold up
     * @throws IOException if the cache folder cannot be used
     */
    public Following(
            String worker, String workerClass, ServedLanes lanes, Brokers brokers, Consumer<WorkerStatus> reports)
            throws IOException {
        FollowOptions options = lanes.options();
        SnapshotLoader loader = SnapshotLoader.create(
                lanes.model(), SegmentStore.at(options.store()), options.cacheFolder(), options.cacheBytesMax());
        this.loads = Executors.newFixedThreadPool(LOADING_THREADS, work -> {
            Thread loading = new Thread(work, worker + "-load");
            loading.setDaemon(true);
            return loading;
        });
        this.statuses = new StatusThread(
                worker + "-status",
                lanes,
                new StatusTicker(worker, workerClass, reports),
                TimeUnit.SECONDS.toMillis(CLOSE_SECONDS_MAX));
        this.follower = new SnapshotFollower(
                () -> brokers.newConsumer(worker + "-snapshots"),
                brokers.topicPrefix(),
                lanes,
                loader,
                options,
                loads,
                System::currentTimeMillis);
        this.thread = new FollowerThread(worker + "-follower", follower, brokers::unreachable);
    }

    public void start() {
        thread.start();
        statuses.start();
    }

    /** False once an error has ended the following thread; what is loaded stays live even then. */
    public boolean live() {
        return thread.failure() == null;
    }

    /** True once everything that was announced before the start is known. */
    public boolean caughtUp() {
        return follower.caughtUp();
    }

    /** Records that could not be read. */
    public long skippedRecords() {
        return follower.skippedRecords();
    }

    @Override
    public void close() {
        thread.close();
        loads.shutdown();
        try {
            if (!loads.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                loads.shutdownNow();
            }
        } catch (InterruptedException e) {
            loads.shutdownNow();
            Thread.currentThread().interrupt();
        }
        statuses.close();
    }
}
