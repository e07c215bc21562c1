package io.tailrace.operators.timers;

import io.tailrace.operators.barriers.BeforeBarrier;
import java.util.List;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Flink's operator of a keyed function that hears a broadcast, and may be a {@link BeforeBarrier} or {@link WokenByBroadcast}.
 *
 * @param <K> its key
 * @param <A> its input
 * @param <B> what is broadcast to it
 * @param <O> its output
 */
public final class KeyedBroadcast<K, A, B, O> extends CoBroadcastWithKeyedOperator<K, A, B, O> {
    private static final long serialVersionUID = 1L;

    /** @param state in which the function keeps what is broadcast */
    public KeyedBroadcast(KeyedBroadcastProcessFunction<K, A, B, O> function, MapStateDescriptor<?, ?> state) {
        super(function, List.of(state));
    }

    @Override
    public void processElement2(StreamRecord<B> element) throws Exception {
        super.processElement2(element);
        if (userFunction instanceof WokenByBroadcast<?> woken) {
            for (Object key : woken.takeWoken()) {
                setCurrentKey(key);
                timers().registerProcessingTimeTimer(VoidNamespace.INSTANCE, timers().currentProcessingTime() + 1);
            }
        }
    }

    /** Those of the function. */
    private InternalTimerService<VoidNamespace> timers() {
        return getInternalTimerService(SteadyTimers.NAME, VoidNamespaceSerializer.INSTANCE, this);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        super.prepareSnapshotPreBarrier(checkpointId);
        BeforeBarrier.tell(userFunction, output);
    }
}
