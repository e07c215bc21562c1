package io.tailrace.e2e.simulation;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.SingleJob;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.functions.DefaultOpenContext;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.OutputTag;

/** The one task that keeps an installation to one job. */
final class GuardTask {
    private final SingleJob guard;
    private final OperatorState state;

    GuardTask(SingleJob guard, OperatorState state) {
        this.guard = guard;
        this.state = state;
    }

    void open(JobID job, boolean restored) throws Exception {
        guard.setRuntimeContext(SimulatedRuntime.context(state, job));
        guard.initializeState(SimulatedRuntime.initialization(state, restored));
        guard.open(DefaultOpenContext.INSTANCE);
    }

    void command(ControlCommand command) throws Exception {
        guard.processElement(command, new Passing(), new KeyedTask.Collecting<>(nothing -> {}));
    }

    OperatorState checkpoint(long id) throws Exception {
        guard.snapshotState(SimulatedRuntime.snapshot(id, 0));
        return state.copy();
    }

    private final class Passing extends ProcessFunction<ControlCommand, Void>.Context {
        Passing() {
            guard.super();
        }

        @Override
        public Long timestamp() {
            return null;
        }

        @Override
        public TimerService timerService() {
            throw new UnsupportedOperationException("timers");
        }

        @Override
        public <X> void output(OutputTag<X> tag, X value) {
            throw new UnsupportedOperationException("side outputs");
        }
    }
}
