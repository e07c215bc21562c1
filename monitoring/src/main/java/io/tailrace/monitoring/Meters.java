package io.tailrace.monitoring;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.SpoolState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The meters of one process, which Prometheus scrapes; all bear the label {@code worker}. Safe for any number of threads. */
public final class Meters implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    /** Kept here, since a registry holds what it reads weakly. */
    private final List<Supplier<Number>> read = new ArrayList<>();

    /**
     * None yet.
     *
     * @param worker the process' name in the fleet
     */
    public Meters(String worker) {
        registry.config().commonTags("worker", worker);
    }

    /**
     * A number as it stands when it is scraped.
     *
     * @param tags names and values in turn
     */
    public void gauge(String name, String description, Supplier<Number> value, String... tags) {
        keep(value);
        Gauge.builder(name, value, each -> each.get().doubleValue())
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /** A number that only rises, as it stands when it is scraped. */
    public void counter(String name, String description, Supplier<Number> value) {
        keep(value);
        FunctionCounter.builder(name, value, each -> each.get().doubleValue())
                .description(description)
                .register(registry);
    }

    private synchronized void keep(Supplier<Number> value) {
        read.add(value);
    }

    /**
     * A counter; the same one for the same name and tags.
     *
     * @param tags names and values in turn
     */
    public Counter counter(String name, String description, String... tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    /** A timer with buckets that end at these times. */
    public Timer timer(String name, String description, Duration... bounds) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(bounds)
                .register(registry);
    }

    /** Bounds of a timer's buckets. */
    public static Duration[] micros(long... bounds) {
        return Arrays.stream(bounds)
                .mapToObj(micros -> Duration.ofNanos(1_000 * micros))
                .toArray(Duration[]::new);
    }

    /**
     * What becomes of reports: lost ones, and the spools' state.
     *
     * @param reporters all of the process, as they stand when asked
     * @param failures reports lost so far
     */
    public void reports(Supplier<List<Reporter>> reporters, Supplier<Number> failures) {
        counter("tailrace.reports.failed", "Reports given up", failures);
        spool("tailrace.spool.records", "Reports that Kafka does not have yet", reporters, SpoolState::pendingRecords);
        spool("tailrace.spool.bytes", "Bytes of the spool", reporters, SpoolState::bytes);
        spool(
                "tailrace.spool.dropped",
                "Reports dropped to keep the spool's bound",
                reporters,
                SpoolState::droppedRecords);
        spool("tailrace.spool.lost.bytes", "Damaged bytes cut off the spool", reporters, SpoolState::lostBytes);
        spool(
                "tailrace.spool.refused",
                "Reports that the spool's disk did not take",
                reporters,
                SpoolState::refusedRecords);
        spool(
                "tailrace.spool.memory.records",
                "Those of them that wait in memory for Kafka or for the disk",
                reporters,
                SpoolState::memoryRecords);
    }

    private void spool(
            String name, String description, Supplier<List<Reporter>> reporters, ToLongFunction<SpoolState> value) {
        gauge(
                name,
                description,
                () -> reporters.get().stream()
                        .flatMap(reporter -> reporter.spool().stream())
                        .mapToLong(value)
                        .sum());
    }

    /** Everything, in Prometheus' text format. */
    public String scrape() {
        return registry.scrape();
    }

    /** For meters of other kinds. */
    public MeterRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        registry.close();
    }
}
