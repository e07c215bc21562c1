package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.MODEL;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever may write to a topic may write anything to it; a follower goes on. */
class BadRecordsTest {
    private static final List<String> TOPICS = List.of("snapshots", "control", "admitted");
    private static final long START = 1_000_000;

    @TempDir
    Path folder;

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private ServedLanes lanes;
    private SnapshotFollower follower;

    @BeforeEach
    void follow() throws IOException {
        FollowOptions options = FollowOptions.of(folder.resolve("store").toUri(), folder.resolve("cache"));
        lanes = new ServedLanes(MODEL, options, START);
        SnapshotLoader loader = SnapshotLoader.create(
                MODEL, SegmentStore.at(options.store()), options.cacheFolder(), options.cacheBytesMax());
        follower = new SnapshotFollower(() -> consumer, "", lanes, loader, options, Runnable::run, () -> START);
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        for (String topic : TOPICS) {
            consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, node, nodes, nodes)));
            consumer.updateBeginningOffsets(Map.of(new TopicPartition(topic, 0), 0L));
            consumer.updateEndOffsets(Map.of(new TopicPartition(topic, 0), 0L));
        }
        lanes.ofRequest(LANE.scope()); // for a topic of answers is read for a lane
        follower.poll();
    }

    static Stream<Arguments> badRecords() {
        List<Arguments> all = new ArrayList<>();
        for (String topic : TOPICS) {
            for (String key : new String[] {null, "", "no lane", "no lane#7", LANE + "#x"}) {
                all.add(Arguments.of(topic, "no value", key, null));
            }
            all.add(Arguments.of(topic, "empty", LANE + "#7", new byte[0]));
            all.add(Arguments.of(topic, "junk", LANE + "#7", new byte[] {1, 2, 3}));
            all.add(Arguments.of(
                    topic, "newer schema", LANE + "#7", new byte[] {(byte) 0xC3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0}));
        }
        return all.stream();
    }

    /** A hash is a file's name in the cache: withdrawing a version deletes files by it. */
    @Test
    void aManifestWhoseHashIsAPathDeletesNothingOutsideTheCache() throws IOException {
        Path outside = Files.writeString(folder.resolve("outside.segment"), "not yours");
        SegmentReference way = new SegmentReference(
                "segments/x.segment", "../outside", 1L, SegmentRole.NEWEST, 1, 1L, 1L, Instant.EPOCH);
        byte[] key = (LANE + "#" + START).getBytes(StandardCharsets.UTF_8);
        byte[] manifest = RecordCodec.SNAPSHOT_MANIFEST.encode(Manifests.manifestOf(START, way));
        consumer.addRecord(new ConsumerRecord<>("snapshots", 0, 0, key, manifest));
        follower.poll();
        consumer.addRecord(new ConsumerRecord<>("snapshots", 0, 1, key, null));
        follower.poll();
        follower.poll();
        assertThat(outside).exists();
        assertThat(follower.skippedRecords()).isEqualTo(1);
    }

    /** It would be the newest version for ever. */
    @Test
    void aVersionThatNoClockReachesIsSkippedAndTheNextIsServed() {
        long[] versions = {Long.MAX_VALUE - 1, START + 24 * 3_600_000, START};
        for (int i = 0; i < versions.length; i++) {
            byte[] key = (LANE + "#" + versions[i]).getBytes(StandardCharsets.UTF_8);
            byte[] manifest = RecordCodec.SNAPSHOT_MANIFEST.encode(Manifests.manifest(versions[i]));
            consumer.addRecord(new ConsumerRecord<>("snapshots", 0, i, key, manifest));
        }
        follower.poll();
        ServedLane lane = lanes.ofRequest(LANE.scope());
        assertThat(lane.live().version()).isEqualTo(START);
        assertThat(lane.state(START).announcedVersion()).isEqualTo(START);
        assertThat(follower.skippedRecords()).isEqualTo(2);
    }

    /** Its withdrawal would not reach it, and compaction would keep it for every worker that starts. */
    @Test
    void aManifestUnderAnotherKeyIsSkippedAndCounted() {
        byte[] manifest = RecordCodec.SNAPSHOT_MANIFEST.encode(Manifests.manifest(START));
        String[] keys = {"x", "", LANE + "#" + (START - 1), LANE + "#0" + START, MODEL.lane("t") + "#" + START, null};
        for (int i = 0; i < keys.length; i++) {
            byte[] key = keys[i] == null ? null : keys[i].getBytes(StandardCharsets.UTF_8);
            consumer.addRecord(new ConsumerRecord<>("snapshots", 0, i, key, manifest));
        }
        follower.poll();
        assertThat(lanes.ofRequest(LANE.scope()).live().version()).isZero();
        assertThat(follower.skippedRecords()).isEqualTo(keys.length);
    }

    @Test
    void aWithdrawalUnderAKeyThatNoJobWritesIsSkippedAndCounted() {
        byte[] key = (LANE + "#" + START).getBytes(StandardCharsets.UTF_8);
        byte[] manifest = RecordCodec.SNAPSHOT_MANIFEST.encode(Manifests.manifest(START));
        consumer.addRecord(new ConsumerRecord<>("snapshots", 0, 0, key, manifest));
        byte[] other = (LANE + "#0" + START).getBytes(StandardCharsets.UTF_8);
        consumer.addRecord(new ConsumerRecord<>("snapshots", 0, 1, other, null));
        follower.poll();
        assertThat(lanes.ofRequest(LANE.scope()).live().version()).isEqualTo(START);
        assertThat(follower.skippedRecords()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}: {1}, key {2}")
    @MethodSource("badRecords")
    void whatCannotBeReadIsSkippedAndCountedAndWhatComesBehindItIsRead(
            String topic, String what, String key, byte[] value) {
        byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        consumer.addRecord(new ConsumerRecord<>(topic, 0, 0, keyBytes, value));
        long snapshotOffset = "snapshots".equals(topic) ? 1 : 0;
        byte[] manifest = RecordCodec.SNAPSHOT_MANIFEST.encode(Manifests.manifest(START));
        consumer.addRecord(new ConsumerRecord<>(
                "snapshots", 0, snapshotOffset, (LANE + "#" + START).getBytes(StandardCharsets.UTF_8), manifest));
        follower.poll();
        assertThat(follower.skippedRecords()).isEqualTo(1);
        assertThat(lanes.ofRequest(LANE.scope()).live().version()).isEqualTo(START);
    }
}
