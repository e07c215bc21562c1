package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.MODEL;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.CostPoint;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.TokenIds;
import io.tailrace.suffix.draft.Mixer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Records of the topics that a worker follows, some one after the other: manifests with their policies, weights and cost curves, commands, fresh
 * answers, tombstones. Of each, a byte says the topic, another one how long its body is; its header is put before it.
 */
class FollowedTopicsFuzzTest {
    private static final long START = 1_000_000;
    private static final String[] TOPICS = {"snapshots", "control", "admitted"};
    private static final List<byte[]> HEADERS = Stream.of(
                    RecordCodec.SNAPSHOT_MANIFEST.encode(Manifests.manifest(START)),
                    RecordCodec.CONTROL.encode(Manifests.control(Command.PIN, START, START)),
                    RecordCodec.ADMITTED_ANSWER.encode(answer()))
            .map(record -> Arrays.copyOf(record, RecordCodec.HEADER_BYTES))
            .toList();
    private static final int TOMBSTONE = 3;
    private static final int RECORDS_MAX = 8;

    @TempDir
    static Path folder;

    static Stream<byte[]> seeds() throws IOException {
        SegmentReference newest = Manifests.segment(folder.resolve("store"), SegmentRole.NEWEST, 1, 2, 3);
        SnapshotManifest first = Manifests.manifestOf(START - 1, newest);
        SnapshotManifest second = Manifests.manifest(START, 5, 6);
        second.getPolicy().setCostCurve(List.of(new CostPoint("cpu", 1, 9, 1_500f), new CostPoint("cpu", 2, 1, -1f)));
        SnapshotManifest learned = Manifests.manifest(START + 1);
        learned.getPolicy().setWeightsLayout(Mixer.LAYOUT);
        List<Float> weights = new ArrayList<>();
        for (float weight : Mixer.defaults().weights()) {
            weights.add(weight);
        }
        learned.getPolicy().setWeights(weights);
        byte[] pin = RecordCodec.CONTROL.encode(Manifests.control(Command.PIN, START - 1, START));
        byte[] back = RecordCodec.CONTROL.encode(Manifests.control(Command.ROLLBACK, START, START + 2));
        return Stream.of(
                input(record(0, first), record(0, second), record(1, pin), record(1, back)),
                input(
                        record(2, RecordCodec.ADMITTED_ANSWER.encode(answer())),
                        record(0, first),
                        record(TOMBSTONE, new byte[10])),
                input(record(0, learned)));
    }

    private static AdmittedAnswer answer() {
        return new AdmittedAnswer(
                LANE.toLane(),
                1L,
                2L,
                List.of(3, 4),
                ByteBuffer.wrap(new byte[] {1, 0, 2, 0}),
                TokenIds.toList(new int[] {1, 2, 99}),
                Instant.ofEpochMilli(START));
    }

    private static byte[] record(int topic, SnapshotManifest manifest) {
        return record(topic, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    private static byte[] record(int topic, byte[] record) {
        int body = record.length - RecordCodec.HEADER_BYTES;
        return ByteBuffer.allocate(3 + body)
                .put((byte) topic)
                .putShort((short) body)
                .put(record, RecordCodec.HEADER_BYTES, body)
                .array();
    }

    private static byte[] input(byte[]... records) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] record : records) {
            all.writeBytes(record);
        }
        return all.toByteArray();
    }

    @MethodSource("seeds")
    @FuzzTest
    void aFollowerGoesOn(byte[] data) throws Exception {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        FollowOptions options = FollowOptions.of(folder.resolve("store").toUri(), folder.resolve("cache"));
        ServedLanes lanes = new ServedLanes(MODEL, options, START);
        SnapshotLoader loader = SnapshotLoader.create(
                MODEL, SegmentStore.at(options.store()), options.cacheFolder(), options.cacheBytesMax());
        try (SnapshotFollower follower =
                new SnapshotFollower(() -> consumer, "", lanes, loader, options, Runnable::run, () -> START)) {
            announceTopics(consumer);
            lanes.ofRequest(LANE.scope());
            follower.poll();
            int records = send(ByteBuffer.wrap(data), consumer, follower);
            assertThat(follower.skippedRecords()).isBetween(0L, (long) records);
            for (ServedLane lane : lanes.all()) {
                assertThat(lane.state(START)).isNotNull();
            }
        }
    }

    private static void announceTopics(MockConsumer<byte[], byte[]> consumer) {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        for (String topic : TOPICS) {
            consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, node, nodes, nodes)));
            consumer.updateBeginningOffsets(Map.of(new TopicPartition(topic, 0), 0L));
            consumer.updateEndOffsets(Map.of(new TopicPartition(topic, 0), 0L));
        }
    }

    private static int send(ByteBuffer data, MockConsumer<byte[], byte[]> consumer, SnapshotFollower follower) {
        long[] offsets = new long[TOPICS.length];
        int records = 0;
        for (; data.remaining() >= 3 && records < RECORDS_MAX; records++) {
            int topic = data.get() & 3;
            byte[] body = new byte[Math.min(Short.toUnsignedInt(data.getShort()), data.remaining())];
            data.get(body);
            int to = topic % TOMBSTONE;
            byte[] key = topic == TOMBSTONE ? body : (LANE + "#" + START).getBytes(StandardCharsets.UTF_8);
            byte[] value = topic == TOMBSTONE ? null : input(HEADERS.get(to), body);
            consumer.addRecord(new ConsumerRecord<>(TOPICS[to], 0, offsets[to]++, key, value));
            follower.poll();
        }
        follower.poll();
        return records;
    }
}
