package io.tailrace.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.timers.SteadyProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that goes on from a savepoint, in Flink: its timers wait until their task runs. One that fired earlier would write into a sink that
 * waits for the job's take-over, which waits for all tasks.
 */
class RestoredTimersIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int KEYS = 20;
    private static final AtomicInteger FIRED = new AtomicInteger();
    private static final AtomicInteger FIRED_WHILE_STARTING = new AtomicInteger();

    /** A timer for each key, again and again. */
    private static final class Ticks extends KeyedProcessFunction<Long, Long, Long> {
        private static final long serialVersionUID = 1L;

        /** Timers of the savepoint, which have passed, are there before the task runs. */
        @Override
        public void open(OpenContext context) throws InterruptedException {
            Thread.sleep(500);
        }

        @Override
        public void processElement(Long value, Context context, Collector<Long> out) {
            next(context);
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<Long> out) {
            FIRED.incrementAndGet();
            boolean starts = Arrays.stream(new Throwable().getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("restoreInternal"));
            if (starts) {
                FIRED_WHILE_STARTING.incrementAndGet();
            }
            next(context);
        }

        private static void next(KeyedProcessFunction<Long, Long, Long>.Context context) {
            long now = context.timerService().currentProcessingTime();
            context.timerService().registerProcessingTimeTimer((now / 100 + 1) * 100);
        }
    }

    private static void ticks(StreamExecutionEnvironment environment) {
        SteadyProcess.of(
                        environment
                                .fromSource(
                                        new NumberSequenceSource(0, Long.MAX_VALUE),
                                        WatermarkStrategy.noWatermarks(),
                                        "numbers")
                                .uid("numbers")
                                .map(RestoredTimersIT::slowly)
                                .keyBy(number -> number % KEYS),
                        new Ticks(),
                        Long.class)
                .uid("ticks")
                .sinkTo(new DiscardingSink<>());
    }

    private static Long slowly(Long number) throws InterruptedException {
        Thread.sleep(10);
        return number;
    }

    private static void awaitTimers() {
        FIRED.set(0);
        Awaitility.await().atMost(PATIENCE).until(() -> FIRED.get() >= 5 * KEYS);
    }

    @Test
    void timersOfASavepointWaitUntilTheirTaskRuns(@TempDir Path folder) throws Exception {
        try (LocalFlink flink = LocalFlink.start(LocalFlink.Options.in(folder, 0))) {
            LocalJob before = flink.submit("ticks", RestoredTimersIT::ticks, null, 1);
            awaitTimers();
            String savepoint = before.stopWithSavepoint();
            FIRED_WHILE_STARTING.set(0);
            LocalJob after = flink.submit("ticks", RestoredTimersIT::ticks, savepoint, 1);
            awaitTimers();
            after.cancel();
            assertThat(FIRED_WHILE_STARTING).hasValue(0);
        }
    }
}
