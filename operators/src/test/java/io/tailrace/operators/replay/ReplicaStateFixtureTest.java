package io.tailrace.operators.replay;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.signals.ReplaySample;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.draft.Mixer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State of earlier releases lies in {@code state/}: written then, never changed, and taken up by this release. */
@SuppressWarnings("try") // a harness may be interrupted while it closes; then the test fails, as it should
final class ReplicaStateFixtureTest {
    private static final long START = 1_700_000_000_000L;

    @TempDir
    Path folder;

    /** A version without segments, later than the one that the fixture followed. */
    private static LaneSignal snapshot() {
        SnapshotManifest manifest = new SnapshotManifest(
                LaneId.parse(LANE).toLane(),
                10L,
                0L,
                Instant.ofEpochMilli(START),
                AnnouncementCause.CADENCE,
                1000,
                "toy-tokenizer",
                List.of(),
                LanePolicy.defaults().toRecord(List.of()),
                new LaneStatistics(0L, 0L, 0L, 0L, 0L),
                List.of(),
                List.of(),
                null,
                null,
                null);
        return new LaneSignal(
                LaneSignal.Kind.SNAPSHOT, LANE, 10, START, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    /** Before choices were compared: seven generations, budget-8 counted on all of them, own-context on the last three. */
    @Test
    void stateFromBeforeChoicesWereComparedIsTakenUp() throws Exception {
        ReplayOptions options =
                new ReplayOptions(1, 3, List.of(ReplayChoice.BUDGET_8, ReplayChoice.OWN_CONTEXT), 1L << 30);
        String file = Objects.requireNonNull(ReplicaStateFixtureTest.class.getResource("/state/replayer-1"))
                .getPath();
        try (ReplayTasks tasks = ReplayTasks.restored(folder, options, OperatorSnapshotUtil.readStateHandle(file))) {
            tasks.hear(snapshot());
            tasks.sample(new ReplaySample(LANE, 0, START + 8, new int[0], new int[] {7}, 0, 8));
            LearningReport report = tasks.reports().get(0);
            assertThat(report.totals().generations()).isEqualTo(8);
            assertThat(report.totals().responseTokens()).isEqualTo(7 * 60 + 1);
            assertThat(report.evidence()).isPositive();
            assertThat(report.weights()).isNotEqualTo(Mixer.defaults().weights());
            assertThat(report.choices().get("budget-8").generations()).isEqualTo(8);
            assertThat(report.choices().get("budget-8").accepted())
                    .isBetween(1L, report.totals().accepted());
            assertThat(report.choicesLive().get("budget-8")).isEqualTo(report.totals());
            assertThat(report.choices().get("own-context").generations())
                    .as("begins anew")
                    .isEqualTo(1);
            assertThat(report.choicesLive().get("own-context").generations()).isEqualTo(1);
        }
    }
}
