package io.tailrace.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A registry of meters holds what it reads weakly: whoever registers must keep it. */
class CollectedMetersTest {
    private static final int COLLECTIONS_MAX = 1_000;

    @Test
    void everyMeterStillMovesAfterACollection() {
        AtomicLong moved = new AtomicLong(1);
        try (Meters metrics = new Meters("a")) {
            metrics.gauge("tailrace.gauge", "", reads(moved));
            metrics.counter("tailrace.counter", "", reads(moved));
            assertThat(readings(metrics)).hasSize(2).allMatch(line -> line.endsWith(" 1.0"));
            collect();
            moved.set(2);
            assertThat(readings(metrics)).hasSize(2).allMatch(line -> line.endsWith(" 2.0"));
        }
    }

    /** Nobody but the meter has it. */
    private static Supplier<Number> reads(AtomicLong value) {
        return value::get;
    }

    private static List<String> readings(Meters metrics) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.matches("tailrace_(gauge|counter_total)\\{.*"))
                .toList();
    }

    private static void collect() {
        WeakReference<Object> witness = new WeakReference<>(new Object());
        for (int i = 0; witness.get() != null && i < COLLECTIONS_MAX; i++) {
            System.gc();
        }
        assertThat(witness.get()).as("collected").isNull();
    }
}
