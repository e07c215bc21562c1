package io.tailrace.tap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.SpoolState;
import io.tailrace.tap.proxy.ProxyServer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** A tap's meters. Safe for any number of threads. */
final class TapMetrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Counter published;
    private final Counter tokens;
    private final Map<SkipReason, Counter> skipped = new EnumMap<>(SkipReason.class);
    /** Kept here, since a registry holds what it reads weakly. */
    private final List<Supplier<Number>> read = new ArrayList<>();

    TapMetrics(String name, Reporter reporter) {
        registry.config().commonTags("worker", name);
        published = counter("tailrace.tap.published", "Generations that were handed on");
        tokens = counter("tailrace.tap.published.tokens", "Their tokens");
        for (SkipReason reason : SkipReason.values()) {
            skipped.put(
                    reason,
                    Counter.builder("tailrace.tap.skipped")
                            .description("Answers, or choices of them, that were not published")
                            .tag("reason", reason.label())
                            .register(registry));
        }
        FunctionCounter.builder("tailrace.reports.failed", reporter, Reporter::failures)
                .description("Generations that were handed on and lost")
                .register(registry);
        gauge("tailrace.tap.publishing", "0 once generations no longer leave", () -> reporter.live() ? 1 : 0);
        spool(
                "tailrace.spool.records",
                "Generations that Kafka does not have yet",
                reporter,
                SpoolState::pendingRecords);
        spool("tailrace.spool.bytes", "Their bytes on disk", reporter, SpoolState::bytes);
        spool(
                "tailrace.spool.dropped",
                "Generations dropped to keep the spool's bound",
                reporter,
                SpoolState::droppedRecords);
        spool("tailrace.spool.lost.bytes", "Damaged ends of files that were cut off", reporter, SpoolState::lostBytes);
        spool("tailrace.spool.refused", "Generations that the disk did not take", reporter, SpoolState::refusedRecords);
        spool(
                "tailrace.spool.memory.records",
                "Those of them that wait in memory now",
                reporter,
                SpoolState::memoryRecords);
    }

    /** What is read of a tap that runs. */
    void gauges(ProxyServer proxy, Publisher publisher) {
        gauge("tailrace.tap.requests.running", "Requests on their way", proxy::running);
        gauge("tailrace.tap.kept.bytes", "Bytes of bodies that are kept until they are published", proxy::keptBytes);
        gauge("tailrace.tap.waiting", "Answers that wait to be published", publisher::waiting);
    }

    /** A request is over. The statuses of HTTP are few, so each is a meter. */
    void forwarded(String status) {
        Counter.builder("tailrace.tap.requests")
                .description("Requests that ended, by the status of their answer, or how it failed")
                .tag("status", status)
                .register(registry)
                .increment();
    }

    /** A generation was handed on. */
    void published(int tokenCount) {
        published.increment();
        tokens.increment(tokenCount);
    }

    void skipped(SkipReason reason) {
        skipped.get(reason).increment();
    }

    /** Everything, in Prometheus' text format. */
    String scrape() {
        return registry.scrape();
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    private void spool(String name, String description, Reporter reporter, ToDoubleFunction<SpoolState> value) {
        if (reporter.spool().isPresent()) {
            gauge(name, description, () -> value.applyAsDouble(reporter.spool().orElseThrow()));
        }
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        read.add(value);
        Gauge.builder(name, value, each -> each.get().doubleValue())
                .description(description)
                .register(registry);
    }

    @Override
    public void close() {
        registry.close();
    }
}
