package io.tailrace.operators.timers;

import java.util.List;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/** Runs a function as Flink does, with timers that fire in time although the time of day jumps, some early. */
class SteadyBroadcastOperator<K, A, B, O> extends CoBroadcastWithKeyedOperator<K, A, B, O> {
    private static final long serialVersionUID = 1L;

    /** @param broadcast its broadcast state */
    SteadyBroadcastOperator(KeyedBroadcastProcessFunction<K, A, B, O> function, MapStateDescriptor<?, ?> broadcast) {
        super(function, List.of(broadcast));
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
