package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.MODEL;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FreshFrom;
import io.tailrace.client.follow.LaneState;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.suffix.KeptOfPrompts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * A follower over topics in memory, with a clock that the test advances and loads that it may hold back; both topics exist and are empty.
 *
 * <pre>{@code
 * FollowerBench bench = new FollowerBench(store, cache);
 * bench.poll(manifest(10));
 * bench.command(control(Command.PIN, 10L, FollowerBench.START));
 * bench.advance(100);
 * bench.poll();
 * assertThat(bench.live()).isEqualTo(10);
 * }</pre>
 */
final class FollowerBench {
    static final long START = 1_000_000;
    private static final TopicPartition SNAPSHOTS = new TopicPartition("p-snapshots", 0);
    private static final TopicPartition CONTROL = new TopicPartition("p-control", 0);

    private final Path store;
    private final Path cache;
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final Deque<Runnable> loads = new ArrayDeque<>();
    private final ServedLanes lanes;
    private final SnapshotFollower follower;
    private boolean loadsWait;
    private long now = START;
    private long brokersAheadMillis;
    private long nextOffset;

    FollowerBench(Path store, Path cache) throws IOException {
        this.store = store;
        this.cache = cache;
        FollowOptions options = new FollowOptions(
                store.toUri(),
                cache,
                1L << 30,
                3,
                10_000,
                100_000,
                FreshFrom.FLEET,
                0,
                TrustedKeys.none(),
                KeptOfPrompts.usual());
        lanes = new ServedLanes(MODEL, options, START);
        SnapshotLoader loader = SnapshotLoader.create(MODEL, SegmentStore.at(store.toUri()), cache, 1L << 30);
        follower = new SnapshotFollower(() -> consumer, "p-", lanes, loader, options, this::execute, () -> now);
        topicExists(SNAPSHOTS);
        topicExists(CONTROL);
    }

    private void topicExists(TopicPartition topic) {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        consumer.updatePartitions(topic.topic(), List.of(new PartitionInfo(topic.topic(), 0, node, nodes, nodes)));
        consumer.updateBeginningOffsets(Map.of(topic, 0L));
        consumer.updateEndOffsets(Map.of(topic, 0L));
    }

    /** So many records lie on the topics at the start; they are read before anything is loaded. */
    void topicsEndAt(long snapshots, long commands) {
        consumer.updateEndOffsets(Map.of(SNAPSHOTS, snapshots, CONTROL, commands));
    }

    void loseTopicSnapshots() {
        consumer.updatePartitions(SNAPSHOTS.topic(), List.of());
    }

    /** Reads once, and finds these there: what lies on topic snapshots at the start, say. */
    void readMore(SnapshotManifest... manifests) {
        consumer.schedulePollTask(() -> {
            for (SnapshotManifest manifest : manifests) {
                put(manifest);
            }
        });
        follower.poll();
    }

    /**
     * Topic snapshots now holds these and nothing else.
     *
     * @param first offset of the oldest that is kept
     */
    void topicHolds(List<ConsumerRecord<byte[], byte[]>> records, long first) {
        consumer.updateBeginningOffsets(Map.of(SNAPSHOTS, first));
        records.forEach(consumer::addRecord);
    }

    /** No broker answers the next question. */
    void loseBrokers() {
        consumer.setOffsetsException(new TimeoutException("no broker"));
    }

    long position() {
        return consumer.position(SNAPSHOTS);
    }

    /** Announces and lets the follower read, after it has read what there was. */
    void poll(SnapshotManifest... manifests) {
        if (consumer.assignment().isEmpty()) {
            follower.poll();
        }
        for (SnapshotManifest manifest : manifests) {
            put(manifest);
        }
        follower.poll();
    }

    /** A command comes, and is obeyed. */
    void command(Control control) {
        put(CONTROL, control.getCommandId(), RecordCodec.CONTROL.encode(control));
        follower.poll();
        follower.poll();
    }

    /** A version is withdrawn. */
    void tombstone(LaneId lane, long version) {
        put(SNAPSHOTS, lane + "#" + version, null);
        follower.poll();
    }

    void putOnSnapshots(String key, byte[] value) {
        put(SNAPSHOTS, key, value);
    }

    void putOnControl(String key, byte[] value) {
        put(CONTROL, key, value);
    }

    private void put(SnapshotManifest manifest) {
        put(
                SNAPSHOTS,
                LaneId.of(manifest.getLane()) + "#" + manifest.getVersion(),
                RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    private void put(TopicPartition topic, String key, byte[] value) {
        consumer.addRecord(new ConsumerRecord<>(
                topic.topic(),
                0,
                nextOffset++,
                now + brokersAheadMillis,
                TimestampType.LOG_APPEND_TIME,
                ConsumerRecord.NULL_SIZE,
                ConsumerRecord.NULL_SIZE,
                key.getBytes(StandardCharsets.UTF_8),
                value,
                new RecordHeaders(),
                Optional.empty()));
    }

    void advance(long millis) {
        now += millis;
    }

    /** The worker's clock is behind that of the brokers. */
    void brokersAreAhead(long millis) {
        brokersAheadMillis = millis;
    }

    long now() {
        return now;
    }

    /** From now on loads wait for {@link #runWaitingLoads}. */
    void holdLoads() {
        loadsWait = true;
    }

    void runWaitingLoads() {
        while (!loads.isEmpty()) {
            loads.remove().run();
        }
    }

    private void execute(Runnable load) {
        if (loadsWait) {
            loads.add(load);
        } else {
            load.run();
        }
    }

    SnapshotFollower follower() {
        return follower;
    }

    ServedLanes lanes() {
        return lanes;
    }

    /** The lane that {@link Manifests} writes of. */
    ServedLane lane() {
        return lanes.ofRequest(LANE.scope());
    }

    /** Its version that requests draft from; 0: none. */
    long live() {
        return lane().live().version();
    }

    LaneState state() {
        return stateIn(0);
    }

    LaneState stateIn(long millis) {
        return lane().state(now + millis);
    }

    /** Where a segment lies on the worker's disk, if it does. */
    Path cached(SegmentReference segment) {
        return cache.resolve(segment.getSha256() + ".segment");
    }

    /** A file leaves the store; what it held can be put back. */
    byte[] takeAway(SegmentReference segment) throws IOException {
        byte[] bytes = Files.readAllBytes(store.resolve(segment.getPath()));
        Files.delete(store.resolve(segment.getPath()));
        return bytes;
    }

    void putBack(SegmentReference segment, byte[] bytes) throws IOException {
        Files.write(store.resolve(segment.getPath()), bytes);
    }
}
