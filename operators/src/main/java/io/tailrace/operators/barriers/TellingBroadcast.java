package io.tailrace.operators.barriers;

import java.util.List;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;

/**
 * Flink's operator of a function that hears a broadcast, and is a {@link BeforeBarrier}.
 *
 * @param <A> its input
 * @param <B> what is broadcast to it
 * @param <O> its output
 */
public final class TellingBroadcast<A, B, O> extends CoBroadcastWithNonKeyedOperator<A, B, O> {
    private static final long serialVersionUID = 1L;

    /** @param state in which the function keeps what is broadcast */
    public TellingBroadcast(BroadcastProcessFunction<A, B, O> function, MapStateDescriptor<?, ?> state) {
        super(function, List.of(state));
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        super.prepareSnapshotPreBarrier(checkpointId);
        BeforeBarrier.tell(userFunction, output);
    }
}
