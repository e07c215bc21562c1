package io.tailrace.e2e.simulation;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.admission.Admission;
import io.tailrace.operators.admission.OfferedGeneration;
import io.tailrace.operators.signals.LaneSignal;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.functions.DefaultOpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** The one task of admission. */
final class AdmissionTask {
    private final Admission admission;
    private final OperatorState state;
    private final LongSupplier now;
    private final Collector<OfferedGeneration> out;
    private final BiConsumer<OutputTag<?>, Object> side;

    AdmissionTask(
            Admission admission,
            OperatorState state,
            LongSupplier now,
            Consumer<OfferedGeneration> out,
            BiConsumer<OutputTag<?>, Object> side) {
        this.admission = admission;
        this.state = state;
        this.now = now;
        this.out = new KeyedTask.Collecting<>(out);
        this.side = side;
    }

    void open(JobID job) throws Exception {
        admission.setRuntimeContext(SimulatedRuntime.context(state, job));
        admission.initializeState(SimulatedRuntime.initialization(state, true));
        admission.open(DefaultOpenContext.INSTANCE);
    }

    void generation(RawRecord record) throws Exception {
        admission.processElement(record, new Reading(), out);
    }

    void signal(LaneSignal signal) throws Exception {
        admission.processBroadcastElement(signal, new Writing(), out);
    }

    OperatorState checkpoint(long id) throws Exception {
        admission.beforeBarrier(new Reading()::output);
        admission.snapshotState(SimulatedRuntime.snapshot(id, now.getAsLong()));
        return state.copy();
    }

    private final class Reading
            extends BroadcastProcessFunction<RawRecord, LaneSignal, OfferedGeneration>.ReadOnlyContext {
        Reading() {
            admission.super();
        }

        @Override
        public <K, V> ReadOnlyBroadcastState<K, V> getBroadcastState(MapStateDescriptor<K, V> descriptor) {
            return state.broadcast(descriptor.getName());
        }

        @Override
        public Long timestamp() {
            return null;
        }

        @Override
        public <X> void output(OutputTag<X> tag, X value) {
            side.accept(tag, value);
        }

        @Override
        public long currentProcessingTime() {
            return now.getAsLong();
        }

        @Override
        public long currentWatermark() {
            return Long.MIN_VALUE;
        }
    }

    private final class Writing extends BroadcastProcessFunction<RawRecord, LaneSignal, OfferedGeneration>.Context {
        Writing() {
            admission.super();
        }

        @Override
        public <K, V> BroadcastState<K, V> getBroadcastState(MapStateDescriptor<K, V> descriptor) {
            return state.broadcast(descriptor.getName());
        }

        @Override
        public Long timestamp() {
            return null;
        }

        @Override
        public <X> void output(OutputTag<X> tag, X value) {
            side.accept(tag, value);
        }

        @Override
        public long currentProcessingTime() {
            return now.getAsLong();
        }

        @Override
        public long currentWatermark() {
            return Long.MIN_VALUE;
        }
    }
}
