package io.tailrace.operators.timers;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.clock.Clock;

/** A task's timers as Flink's own keep them: how long one waits is found when it is set, by a time of day that a test may set. */
final class JumpingTime implements ProcessingTimeService {
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(
            Comparator.comparingLong((Waiting wait) -> wait.steadyAt).thenComparingLong(w -> w.number));
    private long steadyMillis;
    private long dayLessSteadyMillis;
    private long waits;

    JumpingTime(long dayMillis) {
        dayLessSteadyMillis = dayMillis;
    }

    long steadyMillis() {
        return steadyMillis;
    }

    void jump(long millis) {
        dayLessSteadyMillis += millis;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // this class is what fires it
    void pass(long millis) throws Exception {
        long until = steadyMillis + millis;
        while (!waiting.isEmpty() && waiting.peek().steadyAt <= until) {
            Waiting next = waiting.poll();
            steadyMillis = Math.max(steadyMillis, next.steadyAt);
            next.callback.onProcessingTime(next.timestamp);
            if (next.everyMillis > 0) {
                wait(next.timestamp, next.everyMillis, next.everyMillis, next.callback);
            }
        }
        steadyMillis = until;
    }

    @Override
    public Clock getClock() {
        return new Clock() {
            @Override
            public long absoluteTimeMillis() {
                return steadyMillis + dayLessSteadyMillis;
            }

            @Override
            public long relativeTimeMillis() {
                return steadyMillis;
            }

            @Override
            public long relativeTimeNanos() {
                return TimeUnit.MILLISECONDS.toNanos(steadyMillis);
            }
        };
    }

    @Override
    public ScheduledFuture<?> registerTimer(long timestamp, ProcessingTimeCallback target) {
        long delay = timestamp < getCurrentProcessingTime() ? 0 : timestamp - getCurrentProcessingTime() + 1;
        return wait(timestamp, delay, 0, target);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(ProcessingTimeCallback callback, long initialDelay, long period) {
        return wait(0, initialDelay, period, callback);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(ProcessingTimeCallback callback, long initialDelay, long period) {
        return scheduleWithFixedDelay(callback, initialDelay, period);
    }

    private Waiting wait(long timestamp, long delay, long everyMillis, ProcessingTimeCallback callback) {
        Waiting wait = new Waiting(waits++, steadyMillis + delay, everyMillis, timestamp, callback);
        waiting.add(wait);
        return wait;
    }

    @Override
    public CompletableFuture<Void> quiesce() {
        waiting.clear();
        return CompletableFuture.completedFuture(null);
    }

    /** One wait, which can be cancelled and nothing else. */
    private final class Waiting implements ScheduledFuture<Void> {
        private final long number;
        private final long steadyAt;
        private final long everyMillis;
        private final long timestamp;
        private final ProcessingTimeCallback callback;

        Waiting(long number, long steadyAt, long everyMillis, long timestamp, ProcessingTimeCallback callback) {
            this.number = number;
            this.steadyAt = steadyAt;
            this.everyMillis = everyMillis;
            this.timestamp = timestamp;
            this.callback = callback;
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            return waiting.remove(this);
        }

        @Override
        public boolean isCancelled() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isDone() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Void get() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Void get(long timeout, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int compareTo(Delayed other) {
            throw new UnsupportedOperationException();
        }
    }
}
