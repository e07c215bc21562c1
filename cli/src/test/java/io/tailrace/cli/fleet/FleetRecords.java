package io.tailrace.cli.fleet;

import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Counterfactual;
import io.tailrace.schemas.DriftStanding;
import io.tailrace.schemas.EvaluatedChoice;
import io.tailrace.schemas.EvaluationStatistics;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.Finish;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.PositionOutcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import io.tailrace.schemas.SourceOutcome;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.WorkerStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Records as an installation writes them, for tests of what reads them. */
public final class FleetRecords {
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    private FleetRecords() {}

    /** A record as a consumer gives it; the key may be null. */
    public static ConsumerRecord<byte[], byte[]> record(Topic topic, String key, byte[] value, long atMillis) {
        return new ConsumerRecord<>(
                topic.name(""),
                0,
                0L,
                atMillis,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                key == null ? null : key.getBytes(StandardCharsets.UTF_8),
                value,
                new RecordHeaders(),
                Optional.empty());
    }

    /** Lets the view take a record that it must be able to read. */
    public static void give(FleetView fleet, Topic topic, String key, byte[] value) {
        give(fleet, topic, key, value, System.currentTimeMillis());
    }

    static void give(FleetView fleet, Topic topic, String key, byte[] value, long atMillis) {
        try {
            fleet.take(topic, record(topic, key, value, atMillis));
        } catch (UndecodableRecordException e) {
            throw new AssertionError(e);
        }
    }

    /** A version that holds one segment, made when its number says, which is epoch milliseconds. */
    public static SnapshotManifest manifest(LaneId lane, long version, long epoch, int documents, long offset) {
        return new SnapshotManifest(
                lane.toLane(),
                version,
                0L,
                Instant.ofEpochMilli(version),
                AnnouncementCause.CADENCE,
                1_000,
                "toy",
                List.of(new SegmentReference(
                        "segments/a@b/c/%s.segment".formatted("0".repeat(64)),
                        "0".repeat(64),
                        4_096L,
                        SegmentRole.NEWEST,
                        documents,
                        documents * 9L,
                        documents * 10L,
                        Instant.EPOCH)),
                new Policy(true, 16, 0.003f, 0, List.of(), List.of(), documents % 3L, Instant.EPOCH, 7L),
                new LaneStatistics(10L, 40L, 160L, 60L, 100L),
                List.of(Instant.EPOCH),
                List.of(new SourceOffset(0, offset)),
                new EvaluationStatistics(
                        3L,
                        90L,
                        40L,
                        200L,
                        50L,
                        List.of(new EvaluatedChoice("own-context", 60L, 0L, 30L, 3L, 40L, 50L))),
                new DriftStanding(documents % 2 == 1, 2L, Instant.EPOCH, 1.5, 7.25, 5.5, 0.75, 0.5),
                null,
                epoch);
    }

    /** Announces a version to the view. */
    public static void announce(FleetView fleet, SnapshotManifest manifest) {
        String key = LaneId.of(manifest.getLane()) + "#" + manifest.getVersion();
        give(fleet, Topic.SNAPSHOTS, key, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    /** What a worker serves. */
    public static WorkerStatus status(LaneId lane, String worker, long version, long atMillis) {
        return new WorkerStatus(
                worker,
                "toy-cpu",
                lane.toLane(),
                version,
                Instant.ofEpochMilli(atMillis),
                version,
                0L,
                5L,
                1L,
                "store unreachable",
                900L,
                2_100L,
                Instant.ofEpochMilli(atMillis));
    }

    /** A worker whose clock is the brokers' reports to the view. */
    public static void report(FleetView fleet, WorkerStatus status) {
        report(fleet, status, status.getReportedAt().toEpochMilli());
    }

    /** A worker reports, and the brokers take it then, in epoch milliseconds. */
    static void report(FleetView fleet, WorkerStatus status, long atMillis) {
        give(
                fleet,
                Topic.WORKERS,
                status.getWorker() + "#" + LaneId.of(status.getLane()),
                RecordCodec.WORKER_STATUS.encode(status),
                atMillis);
    }

    /** Of 4 steps, with 9 tokens drafted of each of two sources. */
    /** Of a request that no other has. */
    public static Outcome outcome(LaneId lane, String worker, int accepted) {
        return new Outcome(
                "request-" + REQUESTS.incrementAndGet(),
                lane.toLane(),
                worker,
                "toy-cpu",
                "adaptive",
                11L,
                12L,
                3,
                accepted + 4,
                4,
                18,
                accepted,
                List.of(new SourceOutcome("newest", 4, 9, accepted), new SourceOutcome("own", 2, 9, 0)),
                List.of(),
                17L,
                List.of(new Counterfactual("own-context", 8, 3, 0)),
                Instant.EPOCH,
                Instant.EPOCH,
                1.5,
                6L,
                Finish.STOP,
                List.of(new PositionOutcome(4, Math.min(accepted, 4)), new PositionOutcome(3, accepted > 3 ? 1 : 0)));
    }

    /** An event of a lane; null: of the installation. */
    public static Event event(EventKind kind, LaneId lane, String message, Map<String, Long> numbers, long epoch) {
        return new Event(
                kind,
                lane == null ? null : lane.toLane(),
                message,
                numbers,
                Instant.ofEpochMilli(1_790_000_000_000L),
                null,
                null,
                null,
                epoch);
    }

    /** A refusal of the record at that offset of partition 0. */
    public static Rejection rejection(LaneId lane, String requestId, long offset) {
        return new Rejection(
                RejectionReason.TOKEN_OUT_OF_VOCABULARY,
                "token ids must be below 1000",
                "generations",
                0,
                offset,
                requestId,
                lane.toLane(),
                null,
                Instant.ofEpochMilli(1_790_000_000_000L));
    }

    static Generation generation(LaneId lane, String requestId, long completedAt) {
        return new Generation(
                requestId,
                lane.toLane(),
                "gateway-3",
                null,
                TokenIds.toList(new int[] {5, 5, 6}),
                Instant.ofEpochMilli(completedAt),
                Instant.ofEpochMilli(completedAt),
                null);
    }

    static Control delete(LaneId lane, String requestId, long issuedAt) {
        return new Control(
                "command-" + requestId + issuedAt,
                requestId == null ? Command.DELETE_SCOPE : Command.DELETE_REQUEST,
                null,
                null,
                lane.scope(),
                null,
                requestId,
                "ops",
                Instant.ofEpochMilli(issuedAt),
                null,
                false);
    }
}
