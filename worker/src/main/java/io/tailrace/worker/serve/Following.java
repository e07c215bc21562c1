package io.tailrace.worker.serve;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FollowedLanes;
import io.tailrace.client.follow.FollowerThread;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.follow.SegmentStore;
import io.tailrace.client.follow.SnapshotFollower;
import io.tailrace.client.follow.SnapshotLoader;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.StatusTicker;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Follows announced snapshots and tells the fleet what is served. Starts and goes on while the brokers are away. */
final class Following implements AutoCloseable {
    private static final int LOADING_THREADS = 2;
    private static final long STATUS_LOOK_MILLIS = 250;
    private static final long CLOSE_SECONDS_MAX = 5;

    private final FollowedLanes lanes;
    private final SnapshotFollower follower;
    private final FollowerThread thread;
    private final ExecutorService loads;
    private final StatusTicker ticker;
    private long lookedAt;

    Following(ServingWorkerOptions options, KafkaAccess kafka, FollowedLanes lanes, Reporter reporter)
            throws IOException {
        FollowOptions follow = options.follow();
        SnapshotLoader loader = SnapshotLoader.create(
                options.model(), SegmentStore.at(follow.store()), follow.cacheFolder(), follow.cacheBytesMax());
        this.lanes = lanes;
        this.loads = Executors.newFixedThreadPool(LOADING_THREADS, work -> {
            Thread loading = new Thread(work, options.name() + "-load");
            loading.setDaemon(true);
            return loading;
        });
        this.ticker = new StatusTicker(options.name(), options.workerClass(), reporter);
        this.follower = new SnapshotFollower(
                kafka.newConsumer(options.name() + "-snapshots"),
                kafka.topicPrefix(),
                lanes,
                loader,
                follow,
                loads,
                System::currentTimeMillis);
        this.thread = new FollowerThread(options.name() + "-follower", follower, this::lookAtStatus);
    }

    void start() {
        thread.start();
    }

    /** False once the following thread has failed. */
    boolean live() {
        return thread.failure() == null;
    }

    /** True once everything that was announced before the start is known. */
    boolean caughtUp() {
        return follower.caughtUp();
    }

    long skippedRecords() {
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
        ticker.sendAll(states(), System.currentTimeMillis());
    }

    private List<LaneState> states() {
        long now = System.currentTimeMillis();
        return lanes.all().stream().map(lane -> lane.state(now)).toList();
    }

    /** Runs in the follower's thread. */
    private void lookAtStatus() {
        long now = System.currentTimeMillis();
        if (now - lookedAt >= STATUS_LOOK_MILLIS) {
            lookedAt = now;
            ticker.tick(states(), now);
        }
    }
}
