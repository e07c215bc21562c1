package io.tailrace.operators.timers;

import java.util.function.BooleanSupplier;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractUdfStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.SimpleUdfStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Gives one of Flink's operators for process functions {@link SteadyTimers}.
 *
 * @param <A> its first input
 * @param <B> its second input, if it has one
 * @param <O> its output
 */
public class SteadyOperatorFactory<A, B, O> extends SimpleUdfStreamOperatorFactory<O>
        implements OneInputStreamOperatorFactory<A, O>, TwoInputStreamOperatorFactory<A, B, O> {
    private static final long serialVersionUID = 1L;

    /** @param operator that has its function's timers, and so is a {@link Triggerable} */
    SteadyOperatorFactory(AbstractUdfStreamOperator<O, ?> operator) {
        super(operator);
        if (!(operator instanceof Triggerable)) {
            throw new IllegalArgumentException(operator.getClass() + " has no timers");
        }
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <T extends StreamOperator<O>> T createStreamOperator(StreamOperatorParameters<O> parameters) {
        ProcessingTimeService time = new PunctualTime(parameters.getProcessingTimeService(), runs(parameters));
        T operator = super.createStreamOperator(by(time, parameters));
        SteadyTimers.keep((AbstractStreamOperator<O>) operator, (Triggerable<Object, VoidNamespace>) operator, time);
        return operator;
    }

    /** Whether the operator's task runs. */
    BooleanSupplier runs(StreamOperatorParameters<O> parameters) {
        return parameters.getContainingTask()::isRunning;
    }

    /** The same with another time. */
    static <O> StreamOperatorParameters<O> by(ProcessingTimeService time, StreamOperatorParameters<O> parameters) {
        return new StreamOperatorParameters<>(
                parameters.getContainingTask(),
                parameters.getStreamConfig(),
                parameters.getOutput(),
                () -> time,
                parameters.getOperatorEventDispatcher(),
                parameters.getMailboxExecutor());
    }
}
