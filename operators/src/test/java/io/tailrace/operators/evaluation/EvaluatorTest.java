package io.tailrace.operators.evaluation;

import static io.tailrace.operators.evaluation.EvaluatorBench.START;
import static io.tailrace.operators.evaluation.EvaluatorBench.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.SameThread;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.suffix.draft.Mixer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an evaluator takes in, learns and keeps: the function in Flink's harness, over a real store and real segments. */
final class EvaluatorTest {
    private static final long SEED = 20_261_128L;

    @TempDir
    Path folder;

    private EvaluatorBench bench;

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    @Test
    void generationsAreEvaluatedAgainstTheAnnouncedSnapshotAndTeachTheMixer() throws Exception {
        Random random = new Random(SEED);
        int[] known = answer(random, 80);
        bench = new EvaluatorBench(folder);
        bench.sample(0, 5, known);
        bench.announce(10, 5, LanePolicy.defaults(), known);
        bench.sample(0, 6, known);
        for (int i = 0; i < 20; i++) {
            bench.sample(0, 7 + i, known);
        }
        LearningReport report = bench.lastReport();
        assertThat(report.totals().generations())
                .as("the first came before a snapshot")
                .isEqualTo(21);
        assertThat(report.totals().accepted()).as("seed %d", SEED).isGreaterThan(21 * 60);
        assertThat(report.totals().steps() + report.totals().accepted()).isGreaterThanOrEqualTo(21 * 80);
        assertThat(report.evidence()).isGreaterThan(21 * 60);
        assertThat(report.weights()).isNotEqualTo(Mixer.defaults().weights());
        assertThat(report.learnedUntil()).isEqualTo(START + 26);
        assertThat(report.choices()).containsOnlyKeys("own-context", "budget-8");
        assertThat(report.choices().get("own-context").accepted())
                .isLessThan(report.totals().accepted() / 4);
    }

    @Test
    void whatTheSnapshotMayHoldIsNotEvaluatedAgainstIt() throws Exception {
        bench = new EvaluatorBench(folder);
        bench.sample(0, 0, 5, 6, 7);
        bench.announce(10, 50, LanePolicy.defaults(), new int[] {5, 6, 7});
        bench.sample(0, 50, 5, 6, 7);
        bench.sample(0, 51, 5, 6, 7);
        assertThat(bench.lastReport().totals().generations()).isEqualTo(1);
    }

    /** After a move to another Kafka, or where the topic was made anew, offsets begin anew. */
    @Test
    void aVersionOfTheNextTopicIsEvaluatedAgainst() throws Exception {
        bench = new EvaluatorBench(folder);
        bench.sample(0, 1_000, 5, 6, 7);
        bench.announce(10, 1_000, LanePolicy.defaults(), new int[] {5, 6, 7});
        bench.sample(0, 3, 5, 6, 7);
        bench.announce(20, 3, LanePolicy.defaults(), new int[] {5, 6, 7});
        bench.sample(0, 4, 5, 6, 7);
        assertThat(bench.lastReport().totals().generations()).isEqualTo(1);
    }

    /** Flink makes those wait who send samples to a task that is busy, and they index. */
    @Test
    void samplesAreTakenInWithoutWaitingForEvaluationsAndLeftOutWhereTooManyWait() throws Exception {
        int[] known = answer(new Random(SEED), 60);
        LaterThread.WAITING.clear();
        bench = new EvaluatorBench(folder, new Evaluator.Options(0.99, 3, List.of()), LaterThread::new);
        bench.sample(0, 0, known);
        bench.announce(10, 0, LanePolicy.defaults(), known);
        for (int i = 0; i < 3 * EvaluationQueue.WAITING_MAX; i++) {
            bench.sample(0, 1 + i, known);
        }
        assertThat(LaterThread.WAITING).hasSize(EvaluationQueue.WAITING_MAX);
        assertThat(bench.lastReport().totals().generations())
                .as("none was evaluated in the stream's thread")
                .isZero();
        bench.announce(11, 2_000, LanePolicy.defaults(), known);
        bench.sample(0, 2_001, known);
        assertThat(LaterThread.WAITING)
                .as("version 10 is let go of behind the evaluations that read it")
                .hasSize(EvaluationQueue.WAITING_MAX + 1);
        LaterThread.runAll();
        LearningReport report = bench.lastReport();
        assertThat(report.totals().generations()).isEqualTo(EvaluationQueue.WAITING_MAX);
        assertThat(report.totals().accepted()).as("seed %d", SEED).isGreaterThan(EvaluationQueue.WAITING_MAX * 30L);
        bench.sample(0, 2_002, known);
        LaterThread.runAll();
        assertThat(bench.lastReport().totals().generations())
                .as("there is room again")
                .isEqualTo(EvaluationQueue.WAITING_MAX + 1);
    }

    /** Runs what it is given when the test says so. */
    private static final class LaterThread extends SameThread {
        /** Static, since the function is serialised on its way into the harness. */
        static final Deque<Runnable> WAITING = new ArrayDeque<>();

        static void runAll() {
            while (!WAITING.isEmpty()) {
                WAITING.remove().run();
            }
        }

        @Override
        public void execute(Runnable work) {
            WAITING.add(work);
        }

        @Override
        public void shutdown() {
            runAll();
            super.shutdown();
        }
    }

    @Test
    void aLaneThatRestsIsLetGoOfAndGoesOnWhereItWas() throws Exception {
        int[] known = answer(new Random(SEED), 60);
        bench = new EvaluatorBench(folder, new Evaluator.Options(1, 3, List.of()), SameThread::new);
        bench.sample(0, 0, known);
        bench.announce(10, 0, LanePolicy.defaults(), known);
        bench.sample(0, 1, known);
        long evidence = bench.lastReport().evidence();
        assertThat(bench.localCopies()).isEqualTo(1);
        bench.ageLocalCopies();
        bench.advance(500_000);
        assertThat(bench.localCopies()).isEqualTo(1);
        bench.advance(120_000);
        bench.advance(60_000);
        assertThat(bench.localCopies()).isZero();
        bench.sample(0, 2, known);
        LearningReport report = bench.lastReport();
        assertThat(report.totals().generations()).isEqualTo(2);
        assertThat(report.evidence()).isGreaterThan(evidence);
    }

    /** The version before may hold what was deleted. */
    @Test
    void aVersionThatWasFollowedByAnotherLeavesTheDiskWithinTwoMinutes() throws Exception {
        int[] known = answer(new Random(SEED), 60);
        bench = new EvaluatorBench(folder, new Evaluator.Options(1, 3, List.of()), SameThread::new);
        bench.sample(0, 0, known);
        bench.announce(10, 0, LanePolicy.defaults(), known);
        bench.sample(0, 1, known);
        bench.announce(20, 0, LanePolicy.defaults(), Arrays.copyOf(known, 30));
        bench.ageLocalCopies();
        assertThat(bench.localCopies()).isEqualTo(2);
        bench.advance(120_000);
        assertThat(bench.localCopies()).isEqualTo(1);
        bench.sample(0, 2, known);
        assertThat(bench.lastReport().totals().generations()).isEqualTo(2);
    }

    @Test
    void aCopyThatIsDamagedOnTheDiskCostsEvaluationsAndNoRestart() throws Exception {
        int[] known = answer(new Random(SEED), 60);
        bench = new EvaluatorBench(folder, new Evaluator.Options(1, 3, List.of()), SameThread::new);
        bench.sample(0, 0, known);
        bench.announce(10, 0, LanePolicy.defaults(), known);
        bench.sample(0, 1, known);
        bench.cutLocalCopies();
        bench.sample(0, 2, known);
        bench.sample(0, 3, known);
        assertThat(bench.lastReport().totals().generations()).isEqualTo(1);
        bench.announce(20, 0, LanePolicy.defaults(), known);
        bench.sample(0, 4, known);
        assertThat(bench.lastReport().totals().generations()).isEqualTo(2);
        assertThat(bench.lastReport().totals().accepted()).isGreaterThan(2 * 50);
    }

    /** The first one holds every record, so that nothing would be evaluated against it. */
    @Test
    void aVersionOfAClockThatWasADayAheadIsFollowedByTheNext() throws Exception {
        int[] known = answer(new Random(SEED), 60);
        bench = new EvaluatorBench(folder, new Evaluator.Options(1, 3, List.of()), SameThread::new);
        bench.sample(0, 0, known);
        bench.announce(System.currentTimeMillis() + 86_400_000, 1_000, LanePolicy.defaults(), known);
        bench.announce(10, 0, LanePolicy.defaults(), known);
        bench.sample(0, 1, known);
        assertThat(bench.lastReport().totals().generations()).isEqualTo(1);
    }

    /** What it announces holds every record, so that nothing would be evaluated against it. */
    @Test
    void whatASupersededJobAnnouncesIsNotFollowedAndWhatItTellsNotHeard() throws Exception {
        int[] known = answer(new Random(SEED), 60);
        bench = new EvaluatorBench(folder, new Evaluator.Options(1, 3, List.of()), SameThread::new);
        bench.sample(0, 0, known);
        bench.announceInEpoch(1, 30, 1_000, known);
        bench.announceInEpoch(2, 20, 0, known);
        bench.announceInEpoch(1, 40, 1_000, known);
        bench.sample(0, 1, known);
        assertThat(bench.lastReport().totals().generations()).isEqualTo(1);
        OperatorSubtaskState checkpoint = bench.checkpoint();
        bench.close();
        bench = bench.rescaled(checkpoint, 0, 1);
        bench.sample(0, 2, known);
        bench.sample(0, 3, known);
        assertThat(bench.lastReport().totals().generations())
                .as("what it announces is not kept, either")
                .isGreaterThan(1);
    }

    @Test
    void whatWasLearnedSurvivesARescale() throws Exception {
        Random random = new Random(SEED);
        int[] known = answer(random, 60);
        bench = new EvaluatorBench(folder);
        bench.sample(0, 0, known);
        bench.announce(10, 0, LanePolicy.defaults(), known);
        int replicas = 8;
        for (int i = 1; i <= 160; i++) {
            bench.sample(i % replicas, i, known);
        }
        Map<Integer, LearningReport> before = byReplica(bench.reports());
        OperatorSubtaskState checkpoint = bench.checkpoint();
        bench.close();
        List<LearningReport> after = new ArrayList<>();
        for (int subtask = 0; subtask < 3; subtask++) {
            EvaluatorBench rescaled = bench.rescaled(checkpoint, subtask, 3);
            rescaled.announce(11, 0, LanePolicy.defaults(), known);
            for (int replica = 0; replica < replicas; replica++) {
                if (rescaled.isOf(replica)) {
                    rescaled.sample(replica, 1_000 + replica, 9, 8, 7);
                    rescaled.sample(replica, 2_000, 9, 8, 7);
                }
            }
            after.addAll(rescaled.reports());
            rescaled.close();
        }
        Map<Integer, LearningReport> restored = byReplica(after);
        assertThat(restored.keySet()).isEqualTo(before.keySet()).hasSize(replicas);
        restored.forEach((replica, report) -> {
            assertThat(report.totals().generations())
                    .isGreaterThan(before.get(replica).totals().generations());
            assertThat(report.evidence())
                    .isGreaterThanOrEqualTo(before.get(replica).evidence());
        });
    }

    private static Map<Integer, LearningReport> byReplica(List<LearningReport> reports) {
        Map<Integer, LearningReport> last = new TreeMap<>();
        reports.forEach(report -> last.put(report.replica(), report));
        return last;
    }
}
