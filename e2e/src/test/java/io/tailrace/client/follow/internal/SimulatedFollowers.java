package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.signing.TrustedKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;

/** A worker's follower without its thread, under a clock of the test's. It keeps no fresh answers. */
public final class SimulatedFollowers implements AutoCloseable {
    private final ServedLanes lanes;
    private final SnapshotFollower follower;

    /** Where segments come from. */
    @FunctionalInterface
    public interface Source {
        void download(String path, Path target) throws IOException;
    }

    /** @param loads do what waits for the store */
    public SimulatedFollowers(
            Consumer<byte[], byte[]> consumer,
            ServedModel model,
            Source source,
            Path cache,
            TrustedKeys trusted,
            Executor loads,
            LongSupplier clockMillis)
            throws IOException {
        FollowOptions defaults = FollowOptions.of(cache.toUri(), cache);
        FollowOptions options = new FollowOptions(
                defaults.store(),
                cache,
                defaults.cacheBytesMax(),
                defaults.lanesMax(),
                0,
                defaults.freshTokensAllMax(),
                defaults.freshFrom(),
                0,
                trusted,
                defaults.prompts());
        this.lanes = new ServedLanes(model, options, clockMillis.getAsLong());
        SnapshotLoader loader = SnapshotLoader.create(model, store(source), cache, options.cacheBytesMax());
        this.follower = new SnapshotFollower(() -> consumer, "", lanes, loader, options, loads, clockMillis);
    }

    private static SegmentStore store(Source source) {
        return new SegmentStore() {
            @Override
            public void download(String path, long sizeBytes, Path target) throws IOException {
                source.download(path, target);
            }

            @Override
            public void look() {
                // It is asked at a start only, by whoever starts a worker.
            }

            @Override
            public void close() {
                // Holds nothing.
            }
        };
    }

    public void poll() {
        follower.poll();
    }

    /** The version that is live, by lane; 0: none is. */
    public Map<String, Long> live() {
        Map<String, Long> live = new TreeMap<>();
        lanes.all().forEach(lane -> live.put(lane.lane().toString(), lane.live().version()));
        return live;
    }

    /** Why each lane's last load that failed did so, in words; null: none has. */
    public Map<String, String> failures(long nowMillis) {
        Map<String, String> failures = new TreeMap<>();
        lanes.all()
                .forEach(lane -> failures.put(
                        lane.lane().toString(), lane.state(nowMillis).lastFailure()));
        return failures;
    }

    @Override
    public void close() {
        follower.close();
    }
}
