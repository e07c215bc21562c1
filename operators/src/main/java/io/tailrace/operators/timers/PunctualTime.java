package io.tailrace.operators.timers;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.function.BooleanSupplier;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.clock.Clock;

/**
 * Tells Flink's timers no time while their task starts, and none that has not come.
 *
 * <p>Flink fires timers while a task is still about to run. What they write may have to wait for something that waits for the task in turn. So they
 * wait until it runs.
 *
 * <p>How long a timer waits is found when it is set; if the clock is set back meanwhile, Flink
 * would take the time for which it was set for the current one. A function that then sets its next timer by the clock would be called
 * again at once, and so on, for as long as the clock is behind.
 */
final class PunctualTime implements ProcessingTimeService {
    /** So often is looked whether the task runs. */
    static final long START_MILLIS = 50;

    private final ProcessingTimeService task;
    private final BooleanSupplier runs;

    /** @param runs whether the task runs by now */
    PunctualTime(ProcessingTimeService task, BooleanSupplier runs) {
        this.task = task;
        this.runs = runs;
    }

    @Override
    public ScheduledFuture<?> registerTimer(long timestamp, ProcessingTimeCallback target) {
        return task.registerTimer(timestamp, at -> fire(at, target));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // an exception in the task's thread ends the task
    private void fire(long at, ProcessingTimeCallback target) throws Exception {
        long now = task.getCurrentProcessingTime();
        if (runs.getAsBoolean()) {
            target.onProcessingTime(Math.min(at, now));
        } else {
            task.registerTimer(now + START_MILLIS, later -> fire(later, target));
        }
    }

    private ProcessingTimeCallback onceItRuns(ProcessingTimeCallback callback) {
        return at -> {
            if (runs.getAsBoolean()) {
                callback.onProcessingTime(at);
            }
        };
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
        return task.scheduleAtFixedRate(onceItRuns(callback), initialDelay, period);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(ProcessingTimeCallback callback, long initialDelay, long period) {
        return task.scheduleWithFixedDelay(onceItRuns(callback), initialDelay, period);
    }

    @Override
    public CompletableFuture<Void> quiesce() {
        return task.quiesce();
    }
}
