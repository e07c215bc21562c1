package io.tailrace.operators.timers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processing-time timers of one operator's function, kept going where the time of day jumps. Flink keeps a timer as a time of
 * day, and waits for the earliest alone. Behind a clock that went back, timers are late by as much; behind one that went back and
 * forth, Flink may go on waiting for a time that has passed.
 *
 * <p>So once a second the time of day is held against a clock that only goes on. At a start, whose state may be of another clock,
 * and after a jump of a second or more, every timer that is ahead fires at once. It has the timestamp it was set for, which is then
 * later than the current time; Flink itself fires none that is ahead ({@link PunctualTime}). With each look Flink also waits anew. What jumps forth and back between two looks is not seen.
 *
 * @param <K> the key's type
 */
final class SteadyTimers<K> {
    static final long LOOK_MILLIS = 1_000;
    static final long JUMP_MILLIS_MIN = 1_000;
    /** The name under which Flink keeps a process function's timers. */
    static final String NAME = "user-timers";

    private static final Logger LOG = LoggerFactory.getLogger(SteadyTimers.class);

    private final AbstractStreamOperator<?> operator;
    private final Triggerable<K, VoidNamespace> function;
    private final ProcessingTimeService time;
    private InternalTimerService<VoidNamespace> timers;
    private long dayLessSteadyMillis;

    private SteadyTimers(
            AbstractStreamOperator<?> operator, Triggerable<K, VoidNamespace> function, ProcessingTimeService time) {
        this.operator = operator;
        this.function = function;
        this.time = time;
    }

    /**
     * Looks from now on, the first time once the task runs.
     *
     * @param function the operator again, as its timers call it
     */
    @SuppressWarnings("FutureReturnValueIgnored") // an exception in the task's thread ends the task
    static <K> void keep(
            AbstractStreamOperator<?> operator, Triggerable<K, VoidNamespace> function, ProcessingTimeService time) {
        SteadyTimers<K> kept = new SteadyTimers<>(operator, function, time);
        time.scheduleWithFixedDelay(at -> kept.look(), 0, LOOK_MILLIS);
    }

    private void look() throws Exception {
        long difference = time.getCurrentProcessingTime() - time.getClock().relativeTimeMillis();
        long jump = difference - dayLessSteadyMillis;
        boolean first = timers == null;
        if (first) {
            timers = operator.getInternalTimerService(NAME, VoidNamespaceSerializer.INSTANCE, function);
        }
        if (first || Math.abs(jump) >= JUMP_MILLIS_MIN) {
            if (!first) {
                LOG.warn(
                        "{}: the time of day has jumped by {} ms; timers that are ahead fire now",
                        operator.getOperatorID(),
                        jump);
            }
            dayLessSteadyMillis = difference;
            fireThoseAhead();
        }
        if (key() != null) {
            waitAnew();
        }
    }

    private void fireThoseAhead() throws Exception {
        long now = time.getCurrentProcessingTime();
        List<InternalTimer<K, VoidNamespace>> ahead = new ArrayList<>();
        timers.forEachProcessingTimeTimer((namespace, at) -> {
            if (at > now) {
                ahead.add(new TimerHeapInternalTimer<>(at, key(), namespace));
            }
        });
        ahead.sort(Comparator.comparingLong(InternalTimer::getTimestamp));
        for (InternalTimer<K, VoidNamespace> timer : ahead) {
            operator.setCurrentKey(timer.getKey());
            timers.deleteProcessingTimeTimer(VoidNamespace.INSTANCE, timer.getTimestamp());
        }
        for (InternalTimer<K, VoidNamespace> timer : ahead) { // which may set the same again
            operator.setCurrentKey(timer.getKey());
            function.onProcessingTime(timer);
        }
    }

    /** Flink waits for the earliest of its timers: one before all others fires at once, and then it waits by today's clock. */
    private void waitAnew() {
        timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, Long.MIN_VALUE);
        timers.deleteProcessingTimeTimer(VoidNamespace.INSTANCE, Long.MIN_VALUE);
    }

    /** The current one; null before the task's first record or timer. */
    @SuppressWarnings("unchecked")
    private K key() {
        return (K) operator.getCurrentKey();
    }
}
