package io.tailrace.operators.evaluation;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.WeightMean;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.Segment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What replicas have learned goes where their keys go and is learned faster under an alarm; in Flink's harness, over a real store and real segments. */
@SuppressWarnings("try") // a harness may be interrupted while it closes; then the test fails, as it should
final class LearnedStateTest {
    private static final long SEED = 20_261_123L;
    private static final long START = 1_700_000_000_000L;
    private static final int REPLICAS = 8;
    private static final Evaluator.Options OPTIONS = new Evaluator.Options(
            1,
            3,
            List.of(
                    EvaluationChoice.OWN_CONTEXT,
                    EvaluationChoice.BUDGET_8,
                    new EvaluationChoice("newest-only"),
                    new EvaluationChoice("suffix-decoding")));

    @TempDir
    Path folder;

    private final Random random = new Random(SEED);
    private final int[][] phrases = IntStream.range(0, 12)
            .mapToObj(i -> random.ints(12, 3, 900).toArray())
            .toArray(int[][]::new);
    private StoredSegment older;
    private StoredSegment newest;
    private long offset;

    @BeforeEach
    void write() throws Exception {
        older = stored("older", 30);
        newest = stored("newest", 10);
    }

    /** Phrases in any order, strange tokens between them. */
    private int[] answer() {
        return IntStream.range(0, 6)
                .boxed()
                .flatMapToInt(i -> IntStream.concat(
                        Arrays.stream(phrases[random.nextInt(phrases.length)]), random.ints(random.nextInt(3), 3, 900)))
                .toArray();
    }

    private StoredSegment stored(String name, int answers) throws Exception {
        List<Compaction.Input> inputs = IntStream.range(0, answers)
                .mapToObj(i -> generation(name + i, START, answer()).toInput())
                .toList();
        Path work = Files.createDirectories(folder.resolve("work-" + name));
        var result = Compaction.flush(inputs, Samples.MODELS.identity(LANE), work);
        return SegmentLayout.put(FlinkFileStore.factory(folder.toUri()).open(), LANE, result.files(), result.summary());
    }

    private LaneSignal snapshot() {
        SnapshotManifest manifest = new SnapshotManifest(
                LaneId.parse(LANE).toLane(),
                10L,
                0L,
                Instant.ofEpochMilli(START),
                AnnouncementCause.CADENCE,
                1000,
                "toy-tokenizer",
                List.of(older.reference(SegmentRole.OLDER), newest.reference(SegmentRole.NEWEST)),
                LanePolicy.defaults().toRecord(List.of()),
                new LaneStatistics(0L, 0L, 0L, 0L, 0L),
                List.of(),
                List.of(new SourceOffset(0, 0L)),
                null,
                null,
                null,
                0L);
        return new LaneSignal(
                LaneSignal.Kind.SNAPSHOT, LANE, 10, START, 0, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    private List<EvaluationSample> samples(int count, int replicas) {
        List<EvaluationSample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            offset++;
            samples.add(
                    new EvaluationSample(LANE, i % replicas, START + offset, new int[] {1, 2}, answer(), 0, offset));
        }
        return samples;
    }

    @Test
    void throughThreeTasksAndBackToOneWeightsAndCountersGoOnAsIfNothingHadBeen() throws Exception {
        try (EvaluationTasks whole = EvaluationTasks.open(folder, OPTIONS);
                EvaluationTasks one = EvaluationTasks.open(folder, OPTIONS)) {
            List<EvaluationSample> samples = samples(20 * REPLICAS, REPLICAS);
            Map<Integer, LearningReport> begun = fed(one, samples);
            Map<Integer, LearningReport> begunWhole = fed(whole, samples);
            try (EvaluationTasks three = one.rescaled(3)) {
                samples = samples(20 * REPLICAS, REPLICAS);
                Map<Integer, LearningReport> between = fed(three, samples);
                Map<Integer, LearningReport> betweenWhole = fed(whole, samples);
                try (EvaluationTasks oneAgain = three.rescaled(1)) {
                    samples = samples(20 * REPLICAS, REPLICAS);
                    requireSame(begun, begunWhole, 20);
                    requireSame(between, betweenWhole, 40);
                    requireSame(fed(oneAgain, samples), fed(whole, samples), 60);
                }
            }
        }
    }

    private Map<Integer, LearningReport> fed(EvaluationTasks tasks, List<EvaluationSample> samples) throws Exception {
        tasks.hear(snapshot());
        for (EvaluationSample sample : samples) {
            tasks.sample(sample);
        }
        return tasks.reports();
    }

    private static void requireSame(
            Map<Integer, LearningReport> reports, Map<Integer, LearningReport> expected, int generations) {
        assertThat(reports.keySet()).isEqualTo(expected.keySet()).hasSize(REPLICAS);
        reports.forEach((replica, report) -> {
            LearningReport other = expected.get(replica);
            assertThat(report.weights())
                    .as("replica %d, seed %d", replica, SEED)
                    .isEqualTo(other.weights())
                    .isNotEqualTo(Mixer.defaults().weights());
            assertThat(report.evidence()).isEqualTo(other.evidence());
            assertThat(report.learnedUntil()).isEqualTo(other.learnedUntil());
            assertThat(report.totals().generations()).isEqualTo(generations);
            assertThat(exact(report.totals())).isEqualTo(exact(other.totals()));
            assertThat(report.choices()).hasSize(OPTIONS.choices().size());
            report.choices().forEach((choice, totals) -> {
                assertThat(exact(totals))
                        .as("%s of replica %d, seed %d", choice, replica, SEED)
                        .isEqualTo(exact(other.choices().get(choice)));
                assertThat(exact(report.choicesLive().get(choice))).isEqualTo(exact(report.totals()));
            });
        });
    }

    /** All but what is extrapolated, which depends on when a task began. */
    private static LearningReport.Totals exact(LearningReport.Totals totals) {
        return new LearningReport.Totals(
                totals.generations(), totals.responseTokens(), totals.steps(), 0, totals.accepted());
    }

    @Test
    void fromTheAlarmToItsEndWeightsAreLearnedInAHurry() throws Exception {
        List<EvaluationSample> before = samples(10, 1);
        List<EvaluationSample> during = samples(10, 1);
        List<EvaluationSample> after = samples(10, 1);
        Replica reference = new Replica(new Replica.State(), OPTIONS);
        Replica calm = new Replica(new Replica.State(), OPTIONS);
        try (EvaluationTasks tasks = EvaluationTasks.open(folder, OPTIONS);
                Segment older = open(this.older);
                Segment newest = open(this.newest)) {
            LaneIndex index = new LaneIndex(List.of(older), newest, null);
            evaluate(calm, index, before, false);
            float[] begun = evaluate(reference, index, before, false);
            assertThat(weights(tasks, before)).as("seed %d", SEED).isEqualTo(begun);

            tasks.hear(new LaneSignal(LaneSignal.Kind.ALARM, LANE, 0, tasks.now(), 0, null));
            float[] calmly = evaluate(calm, index, during, false);
            float[] hurried = evaluate(reference, index, during, true);
            assertThat(weights(tasks, during)).isEqualTo(hurried);
            assertThat(WeightMean.distance(begun, hurried)).isGreaterThan(1.5 * WeightMean.distance(begun, calmly));

            tasks.hear(new LaneSignal(LaneSignal.Kind.ALARM, LANE, 0, 0, 0, null));
            assertThat(weights(tasks, after)).isEqualTo(evaluate(reference, index, after, false));
        }
    }

    private Segment open(StoredSegment stored) throws Exception {
        return Segment.openVerified(folder.resolve(stored.path()), Samples.MODELS.identity(LANE));
    }

    private static float[] evaluate(Replica replica, LaneIndex index, List<EvaluationSample> samples, boolean alarm) {
        int budget = LanePolicy.defaults().limits().budgetMax();
        samples.forEach(sample -> replica.evaluate(sample, index, budget, null, alarm));
        return Mixer.weightsOf(replica.state().learned);
    }

    private float[] weights(EvaluationTasks tasks, List<EvaluationSample> samples) throws Exception {
        return new TreeMap<>(fed(tasks, samples)).get(0).weights();
    }
}
