package io.tailrace.operators.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.SimpleUdfStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;

/** Flink's own timers under clocks that jump: each fires once, and no later than it was to, but for the pause between two looks. */
@SuppressWarnings("try") // a harness may be interrupted while it closes; then the test fails, as it should
final class SteadyTimersTest {
    private static final long SEED = 20_261_127L;
    private static final int CASES = 1_000;
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final long START = 1_790_000_000_000L;
    /** Flink adds one to what it waits. */
    private static final long LATE_MILLIS_MAX = SteadyTimers.LOOK_MILLIS + SteadyTimers.JUMP_MILLIS_MIN + 2;

    /** A timer of its own key, so many milliseconds hence. */
    record Order(long key, long delayMillis) {}

    /** Says each order's key when its timer fires. */
    private static final class Alarms extends KeyedProcessFunction<Long, Order, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(Order order, Context context, Collector<Long> out) {
            context.timerService()
                    .registerProcessingTimeTimer(context.timerService().currentProcessingTime() + order.delayMillis);
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<Long> out) {
            out.collect(context.getCurrentKey());
        }
    }

    /** Flink's own, by a time of the test's. */
    private final class Plain extends SimpleUdfStreamOperatorFactory<Long> {
        private static final long serialVersionUID = 1L;

        Plain() {
            super(new KeyedProcessOperator<>(new Alarms()));
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // the signature is Flink's
        public <T extends StreamOperator<Long>> T createStreamOperator(StreamOperatorParameters<Long> parameters) {
            return super.createStreamOperator(SteadyOperatorFactory.by(time, parameters));
        }
    }

    /** As the job runs it, by a time of the test's. */
    private final class Steady extends SteadyOperatorFactory<Order, Void, Long> {
        private static final long serialVersionUID = 1L;

        Steady(KeyedProcessFunction<Long, Order, Long> function) {
            super(new KeyedProcessOperator<>(function));
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // the signature is Flink's
        public <T extends StreamOperator<Long>> T createStreamOperator(StreamOperatorParameters<Long> parameters) {
            return super.createStreamOperator(SteadyOperatorFactory.by(time, parameters));
        }

        /** A harness never runs its task. */
        @Override
        BooleanSupplier runs(StreamOperatorParameters<Long> parameters) {
            return () -> running;
        }
    }

    private boolean running = true;
    private final Map<Long, Long> dueAt = new HashMap<>();
    private JumpingTime time = new JumpingTime(START);
    private long latest;
    private int fired;

    private KeyedOneInputStreamOperatorTestHarness<Long, Order, Long> harness(
            StreamOperatorFactory<Long> factory, OperatorSubtaskState state) throws Exception {
        var harness = new KeyedOneInputStreamOperatorTestHarness<>(factory, Order::key, Types.LONG);
        harness.setup();
        harness.initializeState(state);
        harness.open();
        return harness;
    }

    private StreamOperatorFactory<Long> alarms(boolean steady) {
        return steady ? new Steady(new Alarms()) : new Plain();
    }

    private void pass(AbstractStreamOperatorTestHarness<Long> harness, long millis) throws Exception {
        for (long passed = 0; passed < millis; passed += 10) {
            time.pass(10);
            harness.extractOutputValues().forEach(key -> {
                latest = Math.max(latest, time.steadyMillis() - dueAt.remove(key));
                fired++;
            });
            harness.getOutput().clear();
        }
    }

    /** Some orders, jumps and restores of a checkpoint just made; how late the latest timer was. Two jumps are a look apart. */
    private long lateness(long seed, boolean steady) throws Exception {
        Random random = new Random(seed);
        dueAt.clear();
        latest = 0;
        fired = 0;
        time = new JumpingTime(START);
        var harness = harness(alarms(steady), null);
        int orders = 1 + random.nextInt(12);
        for (long key = 0; key < orders; key++) {
            long delay = 1L + random.nextInt(3_000);
            dueAt.put(key, time.steadyMillis() + delay);
            harness.processElement(new Order(key, delay), 0);
            boolean jumped = random.nextInt(3) == 0;
            if (jumped) {
                time.jump((random.nextBoolean() ? 1 : -1) * (random.nextBoolean() ? DAY : random.nextInt(100_000)));
            }
            if (random.nextInt(6) == 0) {
                OperatorSubtaskState state = harness.snapshot(key, 0);
                harness.close();
                JumpingTime before = time;
                time = new JumpingTime(before.getCurrentProcessingTime() + (random.nextInt(3) - 1) * DAY);
                dueAt.replaceAll((order, at) -> at - before.steadyMillis());
                harness = harness(alarms(steady), state);
            }
            pass(harness, jumped ? SteadyTimers.LOOK_MILLIS + random.nextInt(500) : random.nextInt(1_500));
        }
        pass(harness, 3_000 + LATE_MILLIS_MAX);
        harness.close();
        assertThat(fired).isLessThanOrEqualTo(orders);
        return dueAt.isEmpty() ? latest : Long.MAX_VALUE;
    }

    @Test
    void everyTimerFiresOnceAndInTimeHoweverTheClockJumps() throws Exception {
        for (int i = 0; i < CASES; i++) {
            assertThat(lateness(SEED + i, true)).as("seed %d", SEED + i).isLessThanOrEqualTo(LATE_MILLIS_MAX + 10);
        }
    }

    /** Or the test above would show nothing. */
    @Test
    void flinksOwnTimersWaitForTheClock() throws Exception {
        long late = 0;
        for (int i = 0; i < 200; i++) {
            late += lateness(SEED + i, false) == Long.MAX_VALUE ? 1 : 0;
        }
        assertThat(late).as("lives without a jump are on time").isBetween(50L, 190L);
    }

    /** As a lane's rounds do: each sets the next, some tens of milliseconds hence. */
    private static final class Ticks extends KeyedProcessFunction<Long, Order, Long> {
        private static final long serialVersionUID = 1L;
        private int ticks;

        @Override
        public void processElement(Order order, Context context, Collector<Long> out) {
            next(context);
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<Long> out) {
            out.collect(timestamp);
            if (++ticks > 10_000) {
                throw new IllegalStateException("there is no end to it");
            }
            next(context);
        }

        private void next(Context context) {
            context.timerService()
                    .registerProcessingTimeTimer(context.timerService().currentProcessingTime() + 20);
        }
    }

    @Test
    void timersThatSetTheNextGoOnAtTheirPace() throws Exception {
        Random random = new Random(SEED);
        for (int i = 0; i < 200; i++) {
            time = new JumpingTime(START);
            try (var harness = harness(new Steady(new Ticks()), null)) {
                harness.processElement(new Order(1, 0), 0);
                for (int second = 0; second < 8; second++) {
                    time.pass(1_001L + random.nextInt(50));
                    int ticks = harness.extractOutputValues().size();
                    assertThat(ticks).as("in a second").isBetween(second == 0 ? 40 : 0, 60);
                    harness.getOutput().clear();
                    time.jump(second % 3 == 0 ? (random.nextBoolean() ? 1 : -1) * DAY : 0);
                    time.pass(SteadyTimers.LOOK_MILLIS + 1L);
                    harness.getOutput().clear();
                    time.pass(1_000);
                    assertThat(harness.extractOutputValues())
                            .as("after the jump")
                            .hasSizeBetween(40, 60);
                    harness.getOutput().clear();
                }
            }
        }
    }

    /** A time server's small corrections are none. */
    @Test
    void aClockThatIsSlewedFiresNothingEarly() throws Exception {
        try (var harness = harness(alarms(true), null)) {
            pass(harness, 10);
            LongStream.range(0, 5).forEach(key -> dueAt.put(key, 60_000L));
            for (long key = 0; key < 5; key++) {
                harness.processElement(new Order(key, 60_000), 0);
            }
            for (int i = 0; i < 50; i++) {
                pass(harness, 1_000);
                time.jump(5);
            }
            assertThat(fired).isZero();
        }
    }

    /** What a timer writes while its task starts may wait for something that waits for the task. */
    @Test
    void noTimerFiresWhileItsTaskStarts() throws Exception {
        var before = harness(alarms(true), null);
        for (long key = 0; key < 5; key++) {
            before.processElement(new Order(key, 100 + 1_000 * key), 0);
        }
        OperatorSubtaskState state = before.snapshot(0, 0);
        before.close();
        running = false;
        try (var harness = harness(alarms(true), state)) {
            time.pass(3_000);
            assertThat(harness.extractOutputValues()).isEmpty();
            running = true;
            time.pass(SteadyTimers.LOOK_MILLIS + PunctualTime.START_MILLIS);
            assertThat(harness.extractOutputValues()).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
        }
    }
}
