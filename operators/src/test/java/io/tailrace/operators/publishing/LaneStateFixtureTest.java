package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.learning.ReplayTotals;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State of earlier releases lies in {@code state/}: written then, never changed, and taken up by this release. */
final class LaneStateFixtureTest {
    private static final long START = 1_700_000_000_000L;

    @TempDir
    Path folder;

    /** The first release: no policy in the state; one version announced, one level-0 segment waiting. */
    @Test
    void stateOfTheFirstReleaseIsTakenUp() throws Exception {
        PublisherBench bench = new PublisherBench(folder, PublishingOptions.defaults(), START);
        bench.flush(0, generation("a", START - 7, 1, 2, 3));
        bench.advance(2000);
        bench.flush(1, generation("b", START - 3, 4, 5));
        String file = Objects.requireNonNull(LaneStateFixtureTest.class.getResource("/state/lane-publisher-1"))
                .getPath();
        bench.restore(OperatorSnapshotUtil.readStateHandle(file));
        bench.advance(3000);
        List<SnapshotManifest> manifests = bench.manifests();
        assertThat(bench.documents(manifests.get(manifests.size() - 1))).containsExactly("[1, 2, 3]", "[4, 5]");
        assertThat(manifests.get(0).getParentVersion())
                .as("announced when the fixture was made")
                .isEqualTo(START + 200);
        assertThat(manifests.get(0).getPolicy().getEnabled()).isTrue();
        assertThat(manifests.get(0).getPolicy().getNumber()).isZero();
        bench.close();
    }

    /** Before changes of retention were judged: an older segment that knew no aging of its own, and a policy in the middle of its trial. */
    @Test
    void stateFromBeforeRetentionWasJudgedIsTakenUp() throws Exception {
        PublishingOptions options = new PublishingOptions(
                1000,
                2,
                Duration.ofMinutes(10).toMillis(),
                32_000_000,
                Duration.ofDays(30).toMillis(),
                Duration.ofDays(10).toMillis(),
                Duration.ofDays(8).toMillis(),
                Duration.ofMinutes(15).toMillis(),
                64,
                Duration.ofDays(7).toMillis(),
                Duration.ofMinutes(10).toMillis(),
                1L << 30,
                true);
        PublisherBench bench = new PublisherBench(folder, options, START);
        bench.flush(0, generation("a", START - 7, 1, 2, 3));
        bench.advance(2000);
        bench.flush(1, generation("b", START - 3, 4, 5, 6));
        bench.advance(2000);
        String file = Objects.requireNonNull(LaneStateFixtureTest.class.getResource("/state/lane-publisher-2"))
                .getPath();
        bench.restore(OperatorSnapshotUtil.readStateHandle(file));
        int[] live = new int[380];
        Arrays.fill(live, 100);
        bench.input(LaneInput.of(
                new LearningReport(LANE, 0, new float[0], 9_000, START, ReplayTotals.ZERO, Map.of(), 1, live, live)));
        bench.advance(3000);
        SnapshotManifest manifest = bench.manifests().get(0);
        assertThat(bench.events()).anySatisfy(event -> {
            assertThat(event.getKind()).isEqualTo(EventKind.POLICY_ADOPTED);
            assertThat(event.getNumbers().get("generations"))
                    .as("twenty were judged before")
                    .isBetween(21L, 400L);
        });
        assertThat(bench.documents(manifest)).containsExactly("[1, 2, 3]", "[4, 5, 6]");
        assertThat(manifest.getPolicy().getNumber()).isEqualTo(1);
        bench.close();
    }

    /** Before choices were compared: a replica's report that does not say on which generations it counted. */
    @Test
    void stateFromBeforeChoicesWereComparedIsTakenUp() throws Exception {
        PublisherBench bench = new PublisherBench(folder, PublishingOptions.defaults(), START);
        bench.flush(0, generation("a", START - 7, 1, 2, 3));
        bench.advance(2000);
        String file = Objects.requireNonNull(LaneStateFixtureTest.class.getResource("/state/lane-publisher-3"))
                .getPath();
        bench.restore(OperatorSnapshotUtil.readStateHandle(file));
        bench.advance(3000);
        SnapshotManifest restored = bench.manifests().get(0);
        assertThat(restored.getReplayed().getGenerations()).isEqualTo(10);
        assertThat(restored.getReplayed().getCounterfactuals()).isEmpty();
        ReplayTotals totals = new ReplayTotals(12, 360, 120, 600, 240);
        Map<String, ReplayTotals> live = Map.of("budget-8", new ReplayTotals(2, 60, 20, 100, 40));
        bench.input(LaneInput.of(new LearningReport(
                LANE, 0, new float[0], 50, START, totals, live, live, 0, new int[0], new int[0], new int[0])));
        bench.flush(0, generation("b", bench.now(), 4, 5, 6));
        bench.advance(3000);
        List<SnapshotManifest> manifests = bench.manifests();
        assertThat(manifests.get(manifests.size() - 1).getReplayed().getCounterfactuals())
                .singleElement()
                .satisfies(counted -> {
                    assertThat(counted.getGenerations()).isEqualTo(2);
                    assertThat(counted.getLiveSteps()).isEqualTo(20);
                });
        bench.close();
    }
}
