package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.draft.Mixer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What leaves a lane for its half-life, or before its budget asks for it, in Flink's harness over a real store. */
final class RetentionChangesTest {
    private static final long START = 1_700_000_000_000L;
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final int OLD = 20;

    @TempDir
    Path folder;

    private PublisherBench bench;
    private List<String> served = List.of();
    private long version;

    private void open(long laneTokensMax, long halfLifeMillis, boolean judged) throws Exception {
        PublishingOptions options = new PublishingOptions(
                1000,
                40,
                Duration.ofMinutes(10).toMillis(),
                PublishingOptions.WAITING_BYTES_MAX,
                laneTokensMax,
                Duration.ofDays(30).toMillis(),
                halfLifeMillis,
                Duration.ofDays(8).toMillis(),
                Duration.ofMinutes(15).toMillis(),
                3,
                Duration.ofMinutes(5).toMillis(),
                Duration.ofMinutes(1).toMillis(),
                1 << 20,
                judged);
        bench = new PublisherBench(folder, options, START);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    /** Two tokens each; completed ten half-lives ago. */
    private static AdmittedGeneration[] old() {
        AdmittedGeneration[] old = new AdmittedGeneration[OLD + 1];
        for (int i = 0; i < OLD; i++) {
            old[i] = generation("old" + i, START - 10 * HOUR, 100 + i, i);
        }
        old[OLD] = generation("new", START + HOUR, 7, 7);
        return old;
    }

    /** One older segment that has aged, and a newest one. */
    private void age() throws Exception {
        bench.arrive(0, old());
        bench.advance(2000);
        bench.arrive(0, generation("fresh", bench.now(), 9, 9));
        bench.advance(Duration.ofMinutes(16).toMillis());
        look();
        assertThat(served).hasSize(OLD + 2);
    }

    private void look() throws Exception {
        List<SnapshotManifest> manifests = bench.manifests();
        if (!manifests.isEmpty()) {
            served = bench.documents(manifests.get(manifests.size() - 1));
            version = manifests.get(manifests.size() - 1).getVersion();
        }
    }

    private void report(long trial, int generations, int live, int candidate) throws Exception {
        int[] liveSteps = new int[generations];
        int[] candidateSteps = new int[generations];
        Arrays.fill(liveSteps, live);
        Arrays.fill(candidateSteps, candidate);
        bench.input(LaneMessage.of(new LearningReport(
                LANE,
                0,
                Mixer.defaults().weights(),
                10,
                START,
                LearningReport.Totals.ZERO,
                Map.of(),
                trial,
                liveSteps,
                candidateSteps)));
        bench.advance(1500);
        look();
    }

    private List<Event> told() throws Exception {
        return bench.events().stream()
                .filter(event -> event.getKind().name().startsWith("RETENTION"))
                .toList();
    }

    private Event proposed() throws Exception {
        report(0, 0, 0, 0);
        List<Event> told = told();
        assertThat(told).hasSize(1);
        assertThat(told.get(0).getKind()).isEqualTo(EventKind.RETENTION_PROPOSED);
        return told.get(0);
    }

    private static long trial(Event event) {
        return event.getNumbers().get("trial");
    }

    @Test
    void whatIsPastItsHalfLifeLeavesWhenThatIsShownToBeNoWorse() throws Exception {
        open(32_000_000, HOUR, true);
        age();
        Event proposed = proposed();
        assertThat(proposed.getNumbers()).containsEntry("tokens", 2L * OLD);
        assertThat(served).as("nothing leaves unjudged").hasSize(OLD + 2);
        report(trial(proposed), 400, 100, 100);
        assertThat(told()).singleElement().satisfies(event -> {
            assertThat(event.getKind()).isEqualTo(EventKind.RETENTION_ADOPTED);
            assertThat(trial(event)).isEqualTo(trial(proposed));
        });
        assertThat(served).containsExactly("[7, 7]", "[9, 9]");
    }

    @Test
    void whatTheTrafficNeedsStaysWithAnEventAndIsNotJudgedAgainAtOnce() throws Exception {
        open(32_000_000, HOUR, true);
        age();
        report(trial(proposed()), 400, 100, 120);
        assertThat(told()).singleElement().satisfies(event -> {
            assertThat(event.getKind()).isEqualTo(EventKind.RETENTION_REFUSED);
            assertThat(event.getMessage()).contains("worse than the live one");
        });
        bench.advance(Duration.ofMinutes(14).toMillis());
        report(0, 0, 0, 0);
        assertThat(told()).isEmpty();
        assertThat(served).hasSize(OLD + 2);
        bench.advance(Duration.ofMinutes(2).toMillis());
        proposed();
    }

    @Test
    void aJudgementGoesOnAfterASavepointAndItsFileIsNotSweptMeanwhile() throws Exception {
        open(32_000_000, HOUR, true);
        age();
        long trial = trial(proposed());
        report(trial, 150, 100, 100);
        OperatorSubtaskState savepoint = bench.checkpoint();
        bench.advance(Duration.ofMinutes(5).toMillis());
        bench.restore(savepoint);
        bench.advance(Duration.ofMinutes(5).toMillis());
        report(trial, 250, 100, 100);
        assertThat(told())
                .singleElement()
                .satisfies(event ->
                        assertThat(event.getNumbers().get("generations")).isBetween(300L, 400L));
        assertThat(served).containsExactly("[7, 7]", "[9, 9]");
    }

    @Test
    void aDeleteDoesNotWaitForTheJudgeAndWithdrawsWhatWasMadeBeforeIt() throws Exception {
        open(32_000_000, HOUR, true);
        age();
        long trial = trial(proposed());
        bench.control(Samples.deleteRequest("d1", "acme", "new", bench.now() + 2 * HOUR));
        bench.advance(3000);
        look();
        assertThat(served).hasSize(OLD + 1).doesNotContain("[7, 7]");
        assertThat(told()).singleElement().satisfies(event -> {
            assertThat(event.getKind()).isEqualTo(EventKind.RETENTION_WITHDRAWN);
            assertThat(trial(event)).isEqualTo(trial);
        });
        report(trial, 400, 100, 50);
        assertThat(served).hasSize(OLD + 1).doesNotContain("[7, 7]");
    }

    @Test
    void aLaneNearItsBudgetIsTrimmedIfThatIsNoWorseAndPastItInAnyCase() throws Exception {
        open(400, 0, true);
        List<EventKind> kinds = new ArrayList<>();
        long liveMax = 0;
        for (int i = 0; i < 120; i++) {
            bench.arrive(0, generation("r" + i, bench.now(), i, i, i, i, i, i, i, i));
            bench.advance(1500);
            report(0, 0, 0, 0);
            for (Event event : told()) {
                kinds.add(event.getKind());
                if (event.getKind() == EventKind.RETENTION_PROPOSED) {
                    report(trial(event), 400, 100, 120);
                }
            }
            liveMax = Math.max(liveMax, 8L * served.size());
        }
        assertThat(kinds)
                .startsWith(EventKind.RETENTION_PROPOSED, EventKind.RETENTION_REFUSED, EventKind.RETENTION_FORCED)
                .containsOnly(EventKind.RETENTION_PROPOSED, EventKind.RETENTION_REFUSED, EventKind.RETENTION_FORCED);
        assertThat(liveMax).isBetween(380L, 400L + 2 * 8L);
        assertThat(served).contains(Arrays.toString(new int[] {119, 119, 119, 119, 119, 119, 119, 119}));
    }

    @Test
    void whereNothingIsEvaluatedHalfLivesApplyAtOnce() throws Exception {
        open(32_000_000, HOUR, false);
        bench.arrive(0, old());
        bench.advance(2000);
        bench.arrive(0, generation("fresh", bench.now(), 9, 9));
        bench.advance(Duration.ofMinutes(16).toMillis());
        look();
        assertThat(served).containsExactly("[7, 7]", "[9, 9]");
        assertThat(told()).isEmpty();
        assertThat(version).isGreaterThan(START);
    }
}
