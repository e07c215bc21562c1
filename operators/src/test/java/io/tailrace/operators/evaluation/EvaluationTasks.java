package io.tailrace.operators.evaluation;

import io.tailrace.operators.Samples;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.store.FlinkFileStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;

/** All tasks of a job's evaluator, each in a harness of its own; everything runs in the test's thread. */
@SuppressWarnings("try") // a harness may be interrupted while it closes; then the test fails, as it should
final class EvaluationTasks implements AutoCloseable {
    private static final int KEY_GROUPS = 128;
    private static final long START = 1_700_000_000_000L;

    private final Path folder;
    private final Evaluator.Options options;
    private final List<KeyedBroadcastOperatorTestHarness<String, EvaluationSample, LaneSignal, LearningReport>> tasks =
            new ArrayList<>();
    private long now = START;

    private EvaluationTasks(Path folder, Evaluator.Options options) {
        this.folder = folder;
        this.options = options;
    }

    /** One task that has learned nothing, over the store in a folder. */
    static EvaluationTasks open(Path folder, Evaluator.Options options) throws Exception {
        return restored(folder, options, null);
    }

    /** One task with the state of one. */
    static EvaluationTasks restored(Path folder, Evaluator.Options options, OperatorSubtaskState state)
            throws Exception {
        EvaluationTasks tasks = new EvaluationTasks(folder, options);
        tasks.add(state, 1);
        return tasks;
    }

    private void add(OperatorSubtaskState state, int subtasks) throws Exception {
        Evaluator evaluator = new Evaluator(
                options,
                Samples.MODELS,
                FlinkFileStore.factory(folder.toUri()),
                folder.resolve("scratch").toString(),
                AtOnce::new,
                AtOnce::new);
        var harness = new KeyedBroadcastOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(evaluator, List.of(LaneSignal.descriptor())),
                EvaluationSample::replicaKey,
                Types.STRING,
                KEY_GROUPS,
                subtasks,
                tasks.size());
        harness.setup();
        harness.initializeState(state);
        harness.open();
        harness.setProcessingTime(now);
        tasks.add(harness);
    }

    /** So many tasks that go on from a checkpoint of these, which are closed. */
    EvaluationTasks rescaled(int subtasks) throws Exception {
        OperatorSubtaskState state = checkpoint();
        int before = tasks.size();
        close();
        EvaluationTasks rescaled = new EvaluationTasks(folder, options);
        rescaled.now = now;
        for (int subtask = 0; subtask < subtasks; subtask++) {
            rescaled.add(
                    AbstractStreamOperatorTestHarness.repartitionOperatorState(
                            state, KEY_GROUPS, before, subtasks, subtask),
                    subtasks);
        }
        return rescaled;
    }

    /** State of all tasks together. */
    OperatorSubtaskState checkpoint() throws Exception {
        OperatorSubtaskState[] states = new OperatorSubtaskState[tasks.size()];
        for (int i = 0; i < states.length; i++) {
            states[i] = tasks.get(i).snapshot(1, 1);
        }
        return AbstractStreamOperatorTestHarness.repackageState(states);
    }

    long now() {
        return now;
    }

    void hear(LaneSignal signal) throws Exception {
        for (var task : tasks) {
            task.processBroadcastElement(signal, 0);
        }
    }

    void sample(EvaluationSample sample) throws Exception {
        int task = KeyGroupRangeAssignment.assignKeyToParallelOperator(sample.replicaKey(), KEY_GROUPS, tasks.size());
        tasks.get(task).processElement(sample, 0);
    }

    /** Each replica's last report, after time for one more. */
    Map<Integer, LearningReport> reports() throws Exception {
        now += 2_000;
        Map<Integer, LearningReport> last = new TreeMap<>();
        for (var task : tasks) {
            task.setProcessingTime(now);
            task.extractOutputValues().forEach(report -> last.put(report.replica(), report));
        }
        return last;
    }

    /** May be called again. */
    @Override
    public void close() throws Exception {
        for (var task : tasks) {
            task.close();
        }
        tasks.clear();
    }

    /** Runs what it is given at once. */
    private static final class AtOnce extends AbstractExecutorService {
        @Override
        public void execute(Runnable work) {
            work.run();
        }

        @Override
        public void shutdown() {
            // Nothing runs.
        }

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return true;
        }

        @Override
        public boolean isTerminated() {
            return true;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }
}
