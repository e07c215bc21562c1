package io.tailrace.operators.barriers;

import java.util.List;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;

/**
 * The same of a keyed function.
 *
 * @param <K> its key
 * @param <A> its input
 * @param <B> what is broadcast to it
 * @param <O> its output
 */
public final class TellingKeyedBroadcast<K, A, B, O> extends CoBroadcastWithKeyedOperator<K, A, B, O> {
    private static final long serialVersionUID = 1L;

    /** @param state in which the function keeps what is broadcast */
    public TellingKeyedBroadcast(KeyedBroadcastProcessFunction<K, A, B, O> function, MapStateDescriptor<?, ?> state) {
        super(function, List.of(state));
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        super.prepareSnapshotPreBarrier(checkpointId);
        BeforeBarrier.tell(userFunction, output);
    }
}
