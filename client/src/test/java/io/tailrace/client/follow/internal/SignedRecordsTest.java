package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.MODEL;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.TrustedKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A follower with trusted keys obeys whom it trusts and nobody else. */
class SignedRecordsTest {
    private static final long START = 1_000_000;
    private static final RecordSigner JOB = RecordSigner.generated();
    private static final RecordSigner OPERATOR = RecordSigner.generated();
    private static final RecordSigner STRANGER = RecordSigner.generated();

    @TempDir
    private Path folder;

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private ServedLanes lanes;
    private SnapshotFollower follower;
    private long snapshots;
    private long commands;

    @BeforeEach
    void followTwoVersionsOfTheJob() throws IOException {
        follow(TrustedKeys.of(JOB.publicKey(), OPERATOR.publicKey()));
        announce(START, JOB);
        announce(START + 1, JOB);
        assertThat(served()).isEqualTo(START + 1);
    }

    private void follow(TrustedKeys trusted) throws IOException {
        FollowOptions options = FollowOptions.of(folder.resolve("store").toUri(), folder.resolve("cache"))
                .withTrustedKeys(trusted);
        lanes = new ServedLanes(MODEL, options, START);
        SnapshotLoader loader = SnapshotLoader.create(
                MODEL, SegmentStore.at(options.store()), options.cacheFolder(), options.cacheBytesMax());
        follower = new SnapshotFollower(() -> consumer, "", lanes, loader, options, Runnable::run, () -> START);
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        for (String topic : List.of("snapshots", "control", "admitted")) {
            consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, node, nodes, nodes)));
            consumer.updateBeginningOffsets(Map.of(new TopicPartition(topic, 0), 0L));
            consumer.updateEndOffsets(Map.of(new TopicPartition(topic, 0), 0L));
        }
        follower.poll();
    }

    private long served() {
        return lanes.ofRequest(LANE.scope()).live().version();
    }

    private static byte[] key(long version) {
        return (LANE + "#" + version).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] manifest(long version) {
        return RecordCodec.SNAPSHOT_MANIFEST.encode(Manifests.manifest(version));
    }

    private static Control rollback(String id, long version) {
        return Control.newBuilder()
                .setCommandId(id)
                .setCommand(Command.ROLLBACK)
                .setModel(LANE.model())
                .setRevision(LANE.revision())
                .setScope(LANE.scope())
                .setVersion(version)
                .setIssuer("test")
                .setIssuedAt(Instant.ofEpochMilli(START + 60_000))
                .build();
    }

    private void announce(long version, RecordSigner signer) {
        put("snapshots", key(version), manifest(version), signer.sign("snapshots", key(version), manifest(version)));
    }

    private void put(String topic, byte[] key, byte[] value, byte[] signature) {
        long offset = topic.equals("snapshots") ? snapshots++ : commands++;
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(topic, 0, offset, key, value);
        if (signature != null) {
            record.headers().add(SignatureFormat.HEADER, signature);
        }
        consumer.addRecord(record);
        follower.poll();
        follower.poll();
    }

    /** How somebody may try without a trusted key. */
    enum Forgery {
        UNSIGNED,
        OF_AN_UNKNOWN_KEY,
        OF_ANOTHER_VALUE,
        FROM_ANOTHER_KEY,
        FROM_ANOTHER_TOPIC,
        CUT;

        byte[] signature(String topic, byte[] key, byte[] value) {
            byte[] other = key(1);
            return switch (this) {
                case UNSIGNED -> null;
                case OF_AN_UNKNOWN_KEY -> STRANGER.sign(topic, key, value);
                case OF_ANOTHER_VALUE -> JOB.sign(topic, key, manifest(START));
                case FROM_ANOTHER_KEY -> JOB.sign(topic, other, value);
                case FROM_ANOTHER_TOPIC -> JOB.sign("staging-" + topic, key, value);
                case CUT -> java.util.Arrays.copyOf(JOB.sign(topic, key, value), 71);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void aForgedManifestIsNotLoadedAndTheNextGoodOneIs(Forgery forgery) {
        byte[] key = key(START + 2);
        byte[] value = manifest(START + 2);
        put("snapshots", key, value, forgery.signature("snapshots", key, value));
        assertThat(served()).isEqualTo(START + 1);
        assertThat(follower.skippedRecords()).isEqualTo(1);
        announce(START + 3, JOB);
        assertThat(served()).isEqualTo(START + 3);
    }

    @ParameterizedTest
    @EnumSource
    void aForgedTombstoneWithdrawsNothingAndAGoodOneDoes(Forgery forgery) {
        byte[] key = key(START + 1);
        put("snapshots", key, null, forgery.signature("snapshots", key, null));
        assertThat(lanes.ofRequest(LANE.scope()).state(START).announcedVersion())
                .isEqualTo(START + 1);
        assertThat(follower.skippedRecords()).isEqualTo(1);
        put("snapshots", key, null, JOB.sign("snapshots", key, null));
        assertThat(lanes.ofRequest(LANE.scope()).state(START).announcedVersion())
                .isEqualTo(START);
        assertThat(follower.skippedRecords()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aForgedRollbackIsNotObeyedAndAnOperatorsIs(Forgery forgery) {
        byte[] id = "c".getBytes(StandardCharsets.UTF_8);
        byte[] value = RecordCodec.CONTROL.encode(rollback("c", START));
        put("control", id, value, forgery.signature("control", id, value));
        assertThat(served()).isEqualTo(START + 1);
        assertThat(follower.skippedRecords()).isEqualTo(1);
        put("control", id, value, OPERATOR.sign("control", id, value));
        assertThat(served()).isEqualTo(START);
    }

    /** What was signed once stays signed. */
    @Test
    void aCommandThatIsBroughtBackIsNotObeyedAgain() {
        byte[] id = "c".getBytes(StandardCharsets.UTF_8);
        byte[] value = RecordCodec.CONTROL.encode(rollback("c", START));
        put("control", id, value, OPERATOR.sign("control", id, value));
        Control unpin = rollback("d", START);
        unpin.setCommand(Command.UNPIN);
        byte[] end = RecordCodec.CONTROL.encode(unpin);
        put("control", id, end, OPERATOR.sign("control", id, end));
        assertThat(served()).isEqualTo(START + 1);
        put("control", id, value, OPERATOR.sign("control", id, value));
        assertThat(served()).isEqualTo(START + 1);
        assertThat(follower.skippedRecords()).isEqualTo(1);
    }

    /** The last header of the name counts, so a signature cannot be hidden behind another. */
    @Test
    void ofSeveralSignaturesTheLastCounts() {
        byte[] key = key(START + 2);
        byte[] value = manifest(START + 2);
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("snapshots", 0, snapshots++, key, value);
        record.headers().add(SignatureFormat.HEADER, JOB.sign("snapshots", key, value));
        record.headers().add(SignatureFormat.HEADER, STRANGER.sign("snapshots", key, value));
        consumer.addRecord(record);
        follower.poll();
        assertThat(served()).isEqualTo(START + 1);
        assertThat(follower.skippedRecords()).isEqualTo(1);
    }
}
