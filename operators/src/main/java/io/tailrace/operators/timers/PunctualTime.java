package io.tailrace.operators.timers;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.clock.Clock;

/**
 * Tells Flink's timers no time that has not come. How long a timer waits is found when it is set; if the clock is set back meanwhile, Flink
 * would take the time for which it was set for the current one. A function that then sets its next timer by the clock would be called
 * again at once, and so on, for as long as the clock is behind.
 */
final class PunctualTime implements ProcessingTimeService {
    private final ProcessingTimeService task;

    PunctualTime(ProcessingTimeService task) {
        this.task = task;
    }

    @Override
    public ScheduledFuture<?> registerTimer(long timestamp, ProcessingTimeCallback target) {
        return task.registerTimer(
                timestamp, at -> target.onProcessingTime(Math.min(at, task.getCurrentProcessingTime())));
    }

    @Override
    public Clock getClock() {
        return task.getClock();
    }

    @Override
    public long getCurrentProcessingTime() {
        return task.getCurrentProcessingTime();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(ProcessingTimeCallback callback, long initialDelay, long period) {
        return task.scheduleAtFixedRate(callback, initialDelay, period);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(ProcessingTimeCallback callback, long initialDelay, long period) {
        return task.scheduleWithFixedDelay(callback, initialDelay, period);
    }

    @Override
    public CompletableFuture<Void> quiesce() {
        return task.quiesce();
    }
}
