package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.draft.Mixer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a drift alarm makes of half-lives: older segments are held against theirs at once, and more often for a day; judged all the same. */
final class AgingAtAlarmTest {
    private static final long SEED = 20_261_124L;
    private static final long START = 1_700_000_000_000L;
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final long HOUR = 60 * MINUTE;
    private static final int OLD = 20;

    @TempDir
    Path folder;

    private List<String> served = List.of();

    /** Half-lives are applied every quarter of one: every half an hour. */
    private static PublishingOptions options() {
        return new PublishingOptions(
                1000,
                40,
                10 * MINUTE,
                PublishingOptions.WAITING_BYTES_MAX,
                32_000_000,
                Duration.ofDays(30).toMillis(),
                2 * HOUR,
                Duration.ofDays(8).toMillis(),
                15 * MINUTE,
                3,
                5 * MINUTE,
                MINUTE,
                1 << 20,
                true);
    }

    /** Two tokens each; completed ten half-lives ago. */
    private static AdmittedGeneration[] old() {
        AdmittedGeneration[] old = new AdmittedGeneration[OLD + 1];
        for (int i = 0; i < OLD; i++) {
            old[i] = generation("old" + i, START - 20 * HOUR, 100 + i, i);
        }
        old[OLD] = generation("new", START + HOUR, 7, 7);
        return old;
    }

    private void look(PublisherBench bench) throws Exception {
        List<SnapshotManifest> manifests = bench.manifests();
        if (!manifests.isEmpty()) {
            served = bench.documents(manifests.get(manifests.size() - 1));
        }
    }

    private List<Event> told(PublisherBench bench, long trial, int generations) throws Exception {
        int[] steps = new int[generations];
        Arrays.fill(steps, 100);
        bench.input(LaneMessage.of(new LearningReport(
                LANE,
                0,
                Mixer.defaults().weights(),
                10,
                START,
                LearningReport.Totals.ZERO,
                Map.of(),
                trial,
                steps,
                steps)));
        bench.advance(1500);
        look(bench);
        return bench.events().stream()
                .filter(event -> event.getKind().name().startsWith("RETENTION"))
                .toList();
    }

    private static DriftWatch.Report alarm(long at) {
        return new DriftWatch.Report(LANE, true, true, 1, at, 500, 14, 9, 5, 1, 1);
    }

    @Test
    void anAlarmHasWhatIsPastItsHalfLifeJudgedAtOnceAndNotAtTheNextTurn() throws Exception {
        PublisherBench bench = new PublisherBench(folder, options(), START);
        bench.arrive(0, old());
        bench.advance(2000);
        bench.arrive(0, generation("fresh", bench.now(), 9, 9));
        bench.advance(12 * MINUTE);
        assertThat(told(bench, 0, 0)).as("its turn is after half an hour").isEmpty();
        bench.input(LaneMessage.of(alarm(bench.now())));
        bench.advance(3000);
        List<Event> proposed = told(bench, 0, 0);
        assertThat(proposed).singleElement().satisfies(event -> {
            assertThat(event.getKind()).isEqualTo(EventKind.RETENTION_PROPOSED);
            assertThat(event.getNumbers()).containsEntry("tokens", 2L * OLD);
        });
        assertThat(served).as("nothing leaves unjudged").hasSize(OLD + 2);
        List<Event> judged = told(bench, proposed.get(0).getNumbers().get("trial"), 400);
        assertThat(judged)
                .singleElement()
                .satisfies(event -> assertThat(event.getKind()).isEqualTo(EventKind.RETENTION_ADOPTED));
        assertThat(served).containsExactly("[7, 7]", "[9, 9]");
        bench.advance(MINUTE);
        assertThat(told(bench, 0, 0)).as("once is enough").isEmpty();
        bench.close();
    }

    private static LiveSegment segment(long begunAt, long agedAt) {
        StoredSegment stored = new StoredSegment("a", "a-sidecar", "aa", 10, 3, 30, 30, begunAt, 0, 0);
        return new LiveSegment(stored, 0, begunAt, agedAt, agedAt);
    }

    private static boolean agesAgain(LiveSegment segment, long now, Long... alarms) {
        Layout layout = new Layout(LANE, Layout.State.EMPTY);
        Deletes deletes = new Deletes(Deletes.State.NONE, options());
        return new GenerationRetention(options(), layout, deletes, List.of(alarms)).agesAgain(segment, now);
    }

    @Test
    void afterAnAlarmASegmentFromBeforeItHasItsTurnFourTimesAsOftenInFasterTimeForADay() {
        long alarm = START + HOUR;
        LiveSegment before = segment(START, alarm);
        assertThat(agesAgain(before, alarm + 3 * MINUTE / 2, alarm)).isFalse();
        assertThat(agesAgain(before, alarm + 2 * MINUTE, alarm))
                .as("7.5 minutes, four times as fast")
                .isTrue();
        assertThat(agesAgain(before, alarm + 29 * MINUTE))
                .as("without an alarm")
                .isFalse();
        assertThat(agesAgain(before, alarm + 31 * MINUTE)).isTrue();
        LiveSegment agedInTheHurry = segment(START, alarm + HOUR);
        assertThat(agesAgain(agedInTheHurry, alarm + HOUR + 2 * MINUTE, alarm))
                .as("and again")
                .isTrue();
        LiveSegment agedWhenItWasOver = segment(START, alarm + 25 * HOUR);
        assertThat(agesAgain(agedWhenItWasOver, alarm + 25 * HOUR + 29 * MINUTE, alarm))
                .isFalse();
        assertThat(agesAgain(agedWhenItWasOver, alarm + 25 * HOUR + 31 * MINUTE, alarm))
                .isTrue();
    }

    @Test
    void aSegmentFromAfterTheAlarmKeepsItsPace() {
        long alarm = START - MINUTE;
        LiveSegment after = segment(START, START);
        assertThat(agesAgain(after, START + 29 * MINUTE, alarm)).isFalse();
        assertThat(agesAgain(after, START + 31 * MINUTE, alarm)).isTrue();
        assertThat(agesAgain(segment(START - 2 * MINUTE, START), START + 2 * MINUTE, START + HOUR))
                .as("one that is yet to come, by another machine's clock")
                .isFalse();
    }

    /** Minute by minute: one, and three more for each alarm that came after the completion and is not a day old. */
    @Test
    void agesAreThoseThatACountOfMinutesGives() {
        Random random = new Random(SEED);
        for (int i = 0; i < 5_000; i++) {
            List<Long> alarms = random.longs(random.nextInt(4), 0, 3_000)
                    .sorted()
                    .mapToObj(minute -> START + minute * MINUTE)
                    .toList();
            int completed = random.nextInt(3_000);
            int since = random.nextInt(3_000);
            int now = since + random.nextInt(3_000);
            long minutes = 0;
            for (int minute = Math.max(completed, since); minute < now; minute++) {
                long at = START + minute * MINUTE;
                long completedAt = START + completed * MINUTE;
                minutes += 1
                        + (GenerationRetention.Aging.FACTOR - 1)
                                * alarms.stream()
                                        .filter(alarm -> completedAt < alarm
                                                && alarm <= at
                                                && at < alarm + GenerationRetention.Aging.FASTER_MILLIS)
                                        .count();
            }
            GenerationRetention.Aging aging = new GenerationRetention.Aging(HOUR, alarms, START + now * MINUTE);
            assertThat(aging.agedSince(START + completed * MINUTE, START + since * MINUTE))
                    .as("seed %d case %d", SEED, i)
                    .isEqualTo(minutes * MINUTE);
        }
    }
}
