package io.tailrace.operators.evaluation;

import static io.tailrace.operators.evaluation.EvaluatorBench.START;
import static io.tailrace.operators.evaluation.EvaluatorBench.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an evaluator scores what would leave a lane: each generation once with it and once without. */
final class RetentionTrialEvaluationTest {
    private static final long SEED = 20_261_128L;

    @TempDir
    Path folder;

    private EvaluatorBench bench;

    @BeforeEach
    void open() throws Exception {
        bench = new EvaluatorBench(folder);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    private LearningReport judged(long trial, StoredSegment replaced, StoredSegment remaining, int[] traffic, long from)
            throws Exception {
        bench.hear(TrialSignals.retention(trial, replaced, remaining));
        for (int i = 0; i < 10; i++) {
            bench.sample(0, from + i, traffic);
        }
        LearningReport report = bench.lastReport();
        assertThat(report.trial()).isEqualTo(trial);
        assertThat(report.liveSteps()).hasSize(10);
        return report;
    }

    private static void requireMissed(LearningReport report) {
        assertThat(Arrays.stream(report.candidateSteps()).sum())
                .as("seed %d", SEED)
                .isGreaterThan(2 * Arrays.stream(report.liveSteps()).sum());
    }

    @Test
    void whatARetentionWouldDropIsScoredWithoutItAndMissedOnlyIfTheTrafficNeedsIt() throws Exception {
        Random random = new Random(SEED);
        int[] needed = answer(random, 120);
        int[] other = answer(random, 120);
        int[] fresh = answer(random, 40);
        StoredSegment both = bench.stored(1, needed, other);
        StoredSegment neededOnly = bench.stored(2, needed);
        bench.sample(0, 0, needed);
        List<SegmentReference> version = List.of(
                both.reference(SegmentRole.OLDER), bench.stored(3, fresh).reference(SegmentRole.NEWEST));
        bench.announce(10, 0, LanePolicy.defaults(), version);

        LearningReport harmless = judged(4, both, neededOnly, needed, 1);
        assertThat(harmless.candidateSteps()).as("seed %d", SEED).isEqualTo(harmless.liveSteps());
        requireMissed(judged(5, both, bench.stored(4, other), needed, 20));
        requireMissed(judged(6, both, null, needed, 40));
        LearningReport newestStays = judged(7, both, null, fresh, 60);
        assertThat(Arrays.stream(newestStays.candidateSteps()).sum())
                .as("what stays is a larger share of what is said")
                .isLessThanOrEqualTo(Arrays.stream(newestStays.liveSteps()).sum());

        bench.hear(TrialSignals.end(7));
        bench.sample(0, 90, needed);
        assertThat(bench.lastReport().liveSteps()).isEmpty();
    }

    @Test
    void aRetentionOfAnotherVersionOrWithoutItsFileIsNotScored() throws Exception {
        Random random = new Random(SEED);
        int[] known = answer(random, 60);
        StoredSegment older = bench.stored(1, known);
        StoredSegment gone = new StoredSegment("segments/none", "none", "0".repeat(64), 10, 1, 5, 5, START, 0, 0);
        bench.sample(0, 0, known);
        bench.announce(10, 0, LanePolicy.defaults(), List.of(older.reference(SegmentRole.OLDER)));
        for (LaneSignal unfit :
                List.of(TrialSignals.retention(4, gone, older), TrialSignals.retention(5, older, gone))) {
            bench.hear(unfit);
            bench.sample(0, 1, known);
            LearningReport report = bench.lastReport();
            assertThat(report.liveSteps()).isEmpty();
            assertThat(report.totals().generations()).isPositive();
        }
    }
}
