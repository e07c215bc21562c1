package io.tailrace.worker.serve;

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
        try (WorkerMetrics metrics = new WorkerMetrics("w", List::of, reads(moved), reads(moved))) {
            new ServingMetrics(metrics).gauge("tailrace.spool.refused", "", reads(moved));
            assertThat(readings(metrics)).hasSize(3).allMatch(line -> line.endsWith(" 1.0"));
            collect();
            moved.set(2);
            assertThat(readings(metrics)).hasSize(3).allMatch(line -> line.endsWith(" 2.0"));
            assertThat(metrics.scrape()).as("lanes, of an empty list").contains("tailrace_lanes{worker=\"w\"} 0.0");
        }
    }

    /** Nobody but the meter has it. */
    private static Supplier<Number> reads(AtomicLong value) {
        return value::get;
    }

    private static List<String> readings(WorkerMetrics metrics) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.matches("tailrace_(reports_failed_total|follow_skipped_total|spool_refused)\\{.*"))
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
