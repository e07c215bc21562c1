package io.tailrace.schemas;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/** One fixed record of each kind, with every field set: what the golden files hold. */
final class Samples {
    private static final Lane LANE = new Lane("acme/tiny-7b", "r2", "tenant-a");
    private static final Instant AT = Instant.ofEpochMilli(1_790_000_000_123L);

    private Samples() {}

    static Map<RecordCodec<?>, SpecificRecord> all() {
        return Map.of(
                RecordCodec.GENERATION, generation(),
                RecordCodec.OUTCOME, outcome(),
                RecordCodec.REJECTION, rejection(),
                RecordCodec.SNAPSHOT_MANIFEST, manifest(),
                RecordCodec.CONTROL, control(),
                RecordCodec.WORKER_STATUS, workerStatus(),
                RecordCodec.ADMITTED_ANSWER, admittedAnswer(),
                RecordCodec.EVENT, event());
    }

    static AdmittedAnswer admittedAnswer() {
        RequestHash request = RequestHash.of("request-1");
        return new AdmittedAnswer(
                LANE,
                request.high(),
                request.low(),
                TokenIds.toList(new int[] {7, 100_276}),
                ByteBuffer.wrap(new byte[] {3, 0, 4, 1}),
                TokenIds.toList(new int[] {5, 5, 6, 100_265}),
                AT.plusMillis(950));
    }

    static Generation generation() {
        return new Generation(
                "request-1",
                LANE,
                "gateway-3",
                TokenIds.toList(new int[] {0, 7, 100_276}),
                TokenIds.toList(new int[] {5, 5, 6, 100_265}),
                AT,
                AT.plusMillis(950),
                0.7f);
    }

    static Outcome outcome() {
        return new Outcome(
                "request-1",
                LANE,
                "worker-1",
                "tiny-cpu",
                "adaptive",
                11L,
                12L,
                3,
                4,
                2,
                9,
                2,
                List.of(new SourceOutcome("newest", 4, 9, 2)),
                List.of(new StepTime(1, 9, 2, 20_000L)),
                17L,
                List.of(new Counterfactual("own-context", 4, 3, 0)),
                AT,
                AT.plusMillis(950),
                1.5,
                6L,
                Finish.ABORTED,
                List.of(new PositionOutcome(2, 1), new PositionOutcome(1, 1)));
    }

    private static Rejection rejection() {
        return new Rejection(
                RejectionReason.TOKEN_OUT_OF_VOCABULARY,
                "token ids must be below 100277, found one at response[3]",
                "generations",
                2,
                77L,
                "request-1",
                LANE,
                ByteBuffer.wrap(new byte[] {1, 2, 3}),
                AT);
    }

    static SnapshotManifest manifest() {
        return new SnapshotManifest(
                LANE,
                1_790_000_000_456L,
                1_790_000_000_000L,
                AT,
                AnnouncementCause.CADENCE,
                100_277,
                "cl100k",
                List.of(segment()),
                policy(),
                new LaneStatistics(10L, 40L, 160L, 60L, 100L),
                List.of(AT, AT.plusMillis(1)),
                List.of(new SourceOffset(2, 76L)),
                new EvaluationStatistics(
                        3L,
                        90L,
                        40L,
                        200L,
                        50L,
                        List.of(new EvaluatedChoice("budget-8", 30L, 100L, 30L, 2L, 25L, 35L))),
                new DriftStanding(true, 2L, AT, 16.5, 7.25, 5.5, 0.75, 0.5),
                "command-1",
                3L);
    }

    private static SegmentReference segment() {
        return new SegmentReference(
                "segments/a@b/c/00.segment", "00".repeat(32), 4_096L, SegmentRole.NEWEST, 2, 8L, 12L, AT);
    }

    private static Policy policy() {
        return new Policy(
                true,
                16,
                0.003f,
                1,
                List.of(0.5f, -0.25f),
                List.of(new CostPoint("tiny-cpu", 1, 9, 1_500f)),
                3L,
                AT.minusMillis(500),
                4_000L);
    }

    private static Control control() {
        return new Control(
                "command-1",
                Command.ROLLBACK,
                "acme/tiny-7b",
                "r2",
                "tenant-a",
                1_790_000_000_000L,
                "request-1",
                "ops",
                AT,
                policy(),
                true);
    }

    private static WorkerStatus workerStatus() {
        return new WorkerStatus(
                "worker-1", "tiny-cpu", LANE, 11L, AT, 12L, 340L, 5L, 1L, "store unreachable", 900L, 2_100L, AT);
    }

    private static Event event() {
        return new Event(
                EventKind.ACCOUNTING,
                LANE,
                "counters",
                new TreeMap<>(Map.of("tokensLive", 12L)),
                AT,
                policy(),
                new RetentionChange(List.of("b".repeat(64)), List.of(segment())),
                policy(),
                3L);
    }
}
