package io.tailrace.operators.timers;

import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/** Runs a function as Flink does, with timers that fire in time although the time of day jumps, some early. */
class SteadyKeyedOperator<K, A, O> extends KeyedProcessOperator<K, A, O> {
    private static final long serialVersionUID = 1L;

    SteadyKeyedOperator(KeyedProcessFunction<K, A, O> function) {
        super(function);
    }

    @Override
    protected void setProcessingTimeService(ProcessingTimeService time) {
        super.setProcessingTimeService(new PunctualTime(time));
    }

    @Override
    public void open() throws Exception {
        super.open();
        SteadyTimers.keep(this);
    }
}
