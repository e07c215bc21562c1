package io.tailrace.cli.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.fleet.FleetRecords;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.TrustedKeys;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LaneTopicsTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final List<String> warnings = new ArrayList<>();
    private final LaneTopics topics =
            new LaneTopics(new LoopTopics(consumer, "", TrustedKeys.none(), warnings::add), LANE);

    @BeforeEach
    void topicsExist() {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        for (String topic : List.of("snapshots", "workers")) {
            consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, node, nodes, nodes)));
            consumer.updateBeginningOffsets(Map.of(new TopicPartition(topic, 0), 0L));
        }
    }

    /** Puts records that are all of the lane by their key, and are read on the first poll. */
    private void put(String topic, String key, byte[]... values) {
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.updateEndOffsets(Map.of(partition, (long) values.length));
        byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        consumer.schedulePollTask(() -> {
            for (int i = 0; i < values.length; i++) {
                consumer.addRecord(new ConsumerRecord<>(topic, 0, i, keyBytes, values[i]));
            }
        });
    }

    @Test
    void recordsThatCannotBeReadAreSkippedWithAWarning() {
        byte[] newer = {(byte) 0xC3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0};
        put("snapshots", LANE + "#7", new byte[0], new byte[] {1, 2, 3}, newer);
        put("workers", "w#" + LANE, new byte[0], new byte[] {1, 2, 3}, newer);
        topics.read();
        assertThat(topics.versions()).isEmpty();
        topics.close();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0)).contains("at offset 0 is skipped", "0 bytes are no ");
        assertThat(warnings.get(1)).isEqualTo("tailrace: 6 records were skipped");
    }

    @Test
    void recordsWithoutAKeyAndWithdrawalsOfNoVersionAreSkipped() {
        put("snapshots", LANE + "#x", (byte[]) null);
        put("workers", null, new byte[] {1});
        topics.read();
        topics.close();
        assertThat(warnings).hasSize(2).last().isEqualTo("tailrace: 2 records were skipped");
    }

    /** It would be the newest one for ever. */
    @Test
    void aVersionThatNoClockReachesIsSkipped() {
        consumer.updateEndOffsets(Map.of(new TopicPartition("workers", 0), 0L));
        put(
                "snapshots",
                LANE + "#7",
                RecordCodec.SNAPSHOT_MANIFEST.encode(manifest(Long.MAX_VALUE - 1)),
                RecordCodec.SNAPSHOT_MANIFEST.encode(manifest(7)));
        topics.read();
        assertThat(topics.versions().keySet()).containsExactly(7L);
        assertThat(warnings).singleElement().asString().contains("at offset 0 is skipped", "ahead of this clock");
    }

    /** A worker reports once; both times in epoch milliseconds, one by its clock and one by the brokers'. */
    private void report(long reportedAt, long taken) {
        byte[] key = ("w#" + LANE).getBytes(StandardCharsets.UTF_8);
        byte[] value = RecordCodec.WORKER_STATUS.encode(FleetRecords.status(LANE, "w", 7, reportedAt));
        consumer.updateEndOffsets(Map.of(new TopicPartition("snapshots", 0), 0L, new TopicPartition("workers", 0), 1L));
        consumer.schedulePollTask(() -> consumer.addRecord(new ConsumerRecord<>(
                "workers",
                0,
                0,
                taken,
                TimestampType.LOG_APPEND_TIME,
                key.length,
                value.length,
                key,
                value,
                new RecordHeaders(),
                Optional.empty())));
    }

    @ParameterizedTest
    @ValueSource(longs = {-90_000, 0, 90_000})
    void aWorkerIsLiveWhileTheBrokersHearOfItWhateverItsClockSays(long ahead) {
        long taken = 1_790_000_000_000L;
        report(taken + ahead, taken);
        topics.read();
        assertThat(topics.liveWorkers(taken + 15_000)).hasSize(1);
        assertThat(topics.liveWorkers(taken + 15_001)).isEmpty();
    }

    @Test
    void aStatusSaysNothingOfWhatTheBrokersTookAfterIt() {
        report(5, 1_000);
        topics.read();
        assertThat(topics.hasReportedSince("w", 999)).isTrue();
        assertThat(topics.hasReportedSince("w", 1_000)).isFalse();
        assertThat(topics.hasReportedSince("another", 0)).isFalse();
    }

    private static final RecordSigner JOB = RecordSigner.generated();

    private ConsumerRecord<byte[], byte[]> record(int offset, byte[] value, RecordSigner signer, String topic) {
        byte[] key = (LANE + "#7").getBytes(StandardCharsets.UTF_8);
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("snapshots", 0, offset, key, value);
        if (signer != null) {
            record.headers().add(SignatureFormat.HEADER, signer.sign(topic, key, value));
        }
        return record;
    }

    @Test
    void whatNobodyTrustedHasSignedIsSkippedAlsoAWithdrawal() {
        byte[] manifest = RecordCodec.SNAPSHOT_MANIFEST.encode(manifest(7));
        byte[] forged = RecordCodec.SNAPSHOT_MANIFEST.encode(manifest(8));
        LaneTopics checked =
                new LaneTopics(new LoopTopics(consumer, "", TrustedKeys.of(JOB.publicKey()), warnings::add), LANE);
        List<ConsumerRecord<byte[], byte[]>> records = List.of(
                record(0, manifest, JOB, "snapshots"),
                record(1, forged, null, "snapshots"),
                record(2, forged, RecordSigner.generated(), "snapshots"),
                record(3, forged, JOB, "control"),
                record(4, null, null, "snapshots"),
                record(5, null, RecordSigner.generated(), "snapshots"));
        consumer.updateEndOffsets(Map.of(new TopicPartition("snapshots", 0), 6L, new TopicPartition("workers", 0), 0L));
        consumer.schedulePollTask(() -> records.forEach(consumer::addRecord));
        checked.read();
        assertThat(checked.versions().keySet()).containsExactly(7L);
        checked.close();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0)).contains("at offset 1 is skipped: it is not signed");
        assertThat(warnings.get(1)).isEqualTo("tailrace: 5 records were skipped");
    }

    @Test
    void aSignedWithdrawalWithdraws() {
        byte[] manifest = RecordCodec.SNAPSHOT_MANIFEST.encode(manifest(7));
        LaneTopics checked =
                new LaneTopics(new LoopTopics(consumer, "", TrustedKeys.of(JOB.publicKey()), warnings::add), LANE);
        consumer.updateEndOffsets(Map.of(new TopicPartition("snapshots", 0), 2L, new TopicPartition("workers", 0), 0L));
        consumer.schedulePollTask(
                () -> List.of(record(0, manifest, JOB, "snapshots"), record(1, null, JOB, "snapshots"))
                        .forEach(consumer::addRecord));
        checked.read();
        assertThat(checked.versions()).isEmpty();
        assertThat(warnings).isEmpty();
    }

    private static SnapshotManifest manifest(long version) {
        return new SnapshotManifest(
                LANE.toLane(),
                version,
                0L,
                Instant.EPOCH,
                AnnouncementCause.CADENCE,
                1000,
                "toy",
                List.of(),
                new Policy(true, 16, 0.003f, 0, List.of(), List.of(), 0L, Instant.EPOCH, 0L),
                new LaneStatistics(0L, 0L, 0L, 0L, 0L),
                List.of(),
                List.of(),
                null,
                null,
                null,
                0L);
    }
}
