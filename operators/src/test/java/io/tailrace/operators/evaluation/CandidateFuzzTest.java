package io.tailrace.operators.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.operators.FuzzedRecords;
import io.tailrace.operators.SameThread;
import io.tailrace.operators.Samples;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RetentionChange;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.params.provider.MethodSource;

/** Events that propose: what an evaluator makes of them. */
final class CandidateFuzzTest {
    private static final Policy POLICY = LanePolicy.defaults().toRecord(List.of());
    private static final SegmentReference SEGMENT = new SegmentReference(
            "segments/a.segment", "ab".repeat(32), 1L, SegmentRole.OLDER, 1, 1L, 1L, Instant.EPOCH);
    private static final FuzzedRecords EVENTS = FuzzedRecords.of(
            RecordCodec.EVENT,
            List.of(
                    event(POLICY, null, POLICY),
                    event(POLICY, null, null),
                    event(null, null, null),
                    event(null, new RetentionChange(List.of("cd".repeat(32)), List.of(SEGMENT)), null),
                    event(null, new RetentionChange(List.of(), List.of()), null)));

    private static Event event(Policy policy, RetentionChange retention, Policy anchor) {
        return new Event(
                EventKind.POLICY_PROPOSED,
                LaneId.parse(Samples.LANE).toLane(),
                "a test",
                new TreeMap<>(),
                Instant.ofEpochMilli(5),
                policy,
                retention,
                anchor,
                0L);
    }

    static Stream<byte[]> seeds() {
        return EVENTS.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void aCandidateIsJudgedOrLeftOut(byte[] body) throws Exception {
        SnapshotManifest manifest = new SnapshotManifest(
                LaneId.parse(Samples.LANE).toLane(),
                1L,
                0L,
                Instant.EPOCH,
                AnnouncementCause.CADENCE,
                1000,
                "toy",
                List.of(),
                POLICY,
                new LaneStatistics(0L, 0L, 0L, 0L, 0L),
                List.of(),
                List.of(),
                null,
                null,
                null,
                0L);
        HeldSnapshot live = HeldSnapshot.load(manifest, Samples.MODELS.identity(Samples.LANE), null);
        EvaluationQueue evaluations =
                new EvaluationQueue(new SameThread(), 1, new SimpleCounter(), new SimpleCounter());
        TrialFollowing following = new TrialFollowing(Samples.LANE, Samples.MODELS, null, load -> {}, evaluations);
        LaneSignal candidate = new LaneSignal(
                LaneSignal.Kind.CANDIDATE,
                Samples.LANE,
                3,
                5,
                0,
                EVENTS.raw(body).value());
        Replica.Trial trial = following.of(candidate, live);
        if (trial != null) {
            assertThat(trial.candidate().weights()).isNotEmpty();
        }
        following.close();
    }
}
