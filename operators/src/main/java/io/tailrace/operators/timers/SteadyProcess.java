package io.tailrace.operators.timers;

import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;

/**
 * Puts functions with processing-time timers into a job, as {@code process} of a stream does, so that their timers fire in time
 * although the time of day jumps. At a start, and after a jump, every timer that is ahead fires at once, with the timestamp it
 * was set for: a function must bear that a timer fires early. None fires before its task runs.
 */
public final class SteadyProcess {
    /** Until the job gives another. */
    private static final String NAME = "process";

    private SteadyProcess() {}

    public static <K, A, O> SingleOutputStreamOperator<O> of(
            KeyedStream<A, K> stream, KeyedProcessFunction<K, A, O> function, Class<O> out) {
        SteadyOperatorFactory<A, Void, O> factory = new SteadyOperatorFactory<>(new KeyedProcessOperator<>(function));
        return stream.transform(NAME, TypeInformation.of(out), factory);
    }

    /** Of two streams with the same keys. */
    public static <K, A, B, O> SingleOutputStreamOperator<O> of(
            KeyedStream<A, K> one, KeyedStream<B, K> other, KeyedCoProcessFunction<K, A, B, O> function, Class<O> out) {
        return ofTwo(one, other, new SteadyOperatorFactory<>(new KeyedCoProcessOperator<>(function)), out);
    }

    /**
     * Of a stream and what is broadcast to all its tasks.
     *
     * @param state in which the function keeps what is broadcast
     */
    public static <K, A, B, O> SingleOutputStreamOperator<O> of(
            KeyedStream<A, K> stream,
            DataStream<B> broadcast,
            MapStateDescriptor<?, ?> state,
            KeyedBroadcastProcessFunction<K, A, B, O> function,
            Class<O> out) {
        var operator = new KeyedBroadcast<>(function, state);
        return ofTwo(stream, broadcast.broadcast(), new SteadyOperatorFactory<>(operator), out);
    }

    private static <A, B, O> SingleOutputStreamOperator<O> ofTwo(
            DataStream<A> one, DataStream<B> other, TwoInputStreamOperatorFactory<A, B, O> factory, Class<O> out) {
        return one.connect(other).transform(NAME, TypeInformation.of(out), factory);
    }
}
