package io.tailrace.e2e.simulation;

import io.tailrace.operators.barriers.BeforeBarrier;
import io.tailrace.operators.timers.WokenByBroadcast;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.functions.DefaultOpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.runtime.state.KeyedStateFunction;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** One task that runs a function keyed by text with commands broadcast to it, under a clock of the test's. */
final class KeyedTask<A, B, O> {
    private final KeyedBroadcastProcessFunction<String, A, B, O> function;
    private final Function<A, String> keys;
    private final OperatorState state;
    private final LongSupplier now;
    private final BiConsumer<OutputTag<?>, Object> side;
    private final Collector<O> out;
    private final TimerService timers = new Timers();
    private boolean started;

    /** A task that goes on from a state, which it takes over. */
    KeyedTask(
            KeyedBroadcastProcessFunction<String, A, B, O> function,
            Function<A, String> keys,
            OperatorState state,
            LongSupplier now,
            Consumer<O> out,
            BiConsumer<OutputTag<?>, Object> side) {
        this.function = function;
        this.keys = keys;
        this.state = state;
        this.now = now;
        this.side = side;
        this.out = new Collecting<>(out);
    }

    /** Hands on what a function collects. */
    record Collecting<T>(Consumer<T> to) implements Collector<T> {
        @Override
        public void collect(T record) {
            to.accept(record);
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }

    void open(JobID job) throws Exception {
        function.setRuntimeContext(SimulatedRuntime.context(state, job));
        if (function instanceof CheckpointedFunction checkpointed) {
            checkpointed.initializeState(SimulatedRuntime.initialization(state, true));
        }
        function.open(DefaultOpenContext.INSTANCE);
    }

    void element(A element) throws Exception {
        state.setKey(keys.apply(element));
        function.processElement(element, new Reading(), out);
    }

    void broadcast(B element) throws Exception {
        function.processBroadcastElement(element, new Writing(), out);
        if (function instanceof WokenByBroadcast<?> woken) {
            for (Object key : woken.takeWoken()) {
                state.setKey(key);
                state.setTimer(now.getAsLong() + 1);
            }
        }
    }

    /** Fires what is due, each timer once. At a start all that is there, as the job's operators do: it may be of another clock. */
    void fireTimers() throws Exception {
        if (!started) {
            started = true;
            for (OperatorState.Timer restored : state.takeTimers()) {
                state.setKey(restored.key());
                function.onTimer(restored.at(), new Firing(), out);
            }
        }
        long due = now.getAsLong();
        while (state.nextTimer() <= due) {
            function.onTimer(state.takeTimer(), new Firing(), out);
        }
    }

    OperatorState checkpoint(long id) throws Exception {
        if (function instanceof BeforeBarrier telling) {
            telling.beforeBarrier(new Reading()::output);
        }
        if (function instanceof CheckpointedFunction checkpointed) {
            checkpointed.snapshotState(SimulatedRuntime.snapshot(id, now.getAsLong()));
        }
        return state.copy();
    }

    /** The job's coordinator has the checkpoint of this number. */
    void completed(long id) throws Exception {
        if (function instanceof CheckpointListener listener) {
            listener.notifyCheckpointComplete(id);
        }
    }

    OperatorState state() {
        return state;
    }

    void close() throws Exception {
        function.close();
    }

    private final class Timers implements TimerService {
        @Override
        public long currentProcessingTime() {
            return now.getAsLong();
        }

        @Override
        public long currentWatermark() {
            return Long.MIN_VALUE;
        }

        @Override
        public void registerProcessingTimeTimer(long time) {
            state.setTimer(time);
        }

        @Override
        public void registerEventTimeTimer(long time) {
            throw new UnsupportedOperationException("event time");
        }

        @Override
        public void deleteProcessingTimeTimer(long time) {
            throw new UnsupportedOperationException("deleting timers");
        }

        @Override
        public void deleteEventTimeTimer(long time) {
            throw new UnsupportedOperationException("event time");
        }
    }

    private final class Reading extends KeyedBroadcastProcessFunction<String, A, B, O>.ReadOnlyContext {
        Reading() {
            function.super();
        }

        @Override
        public TimerService timerService() {
            return timers;
        }

        @Override
        public String getCurrentKey() {
            return (String) state.key();
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

    private final class Firing extends KeyedBroadcastProcessFunction<String, A, B, O>.OnTimerContext {
        private final Reading reading = new Reading();

        Firing() {
            function.super();
        }

        @Override
        public TimeDomain timeDomain() {
            return TimeDomain.PROCESSING_TIME;
        }

        @Override
        public TimerService timerService() {
            return timers;
        }

        @Override
        public String getCurrentKey() {
            return reading.getCurrentKey();
        }

        @Override
        public <K, V> ReadOnlyBroadcastState<K, V> getBroadcastState(MapStateDescriptor<K, V> descriptor) {
            return reading.getBroadcastState(descriptor);
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

    private final class Writing extends KeyedBroadcastProcessFunction<String, A, B, O>.Context {
        Writing() {
            function.super();
        }

        @Override
        @SuppressWarnings("unchecked")
        public <V, S extends State> void applyToKeyedState(
                StateDescriptor<S, V> descriptor, KeyedStateFunction<String, S> each) throws Exception {
            for (Object key : state.keys(descriptor.getName())) {
                state.setKey(key);
                Object shown = descriptor instanceof ListStateDescriptor<?>
                        ? state.list(descriptor.getName(), true)
                        : state.value(descriptor.getName());
                each.process((String) key, (S) shown);
            }
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
