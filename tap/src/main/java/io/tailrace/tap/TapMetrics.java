package io.tailrace.tap;

import io.micrometer.core.instrument.Counter;
import io.tailrace.client.report.Reporter;
import io.tailrace.monitoring.Meters;
import io.tailrace.tap.proxy.ProxyServer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A tap's meters. Safe for any number of threads. */
final class TapMetrics implements AutoCloseable {
    private final Meters meters;
    private final Counter published;
    private final Counter tokens;
    private final Map<SkipReason, Counter> skipped = new EnumMap<>(SkipReason.class);

    TapMetrics(String name, Reporter reporter) {
        meters = new Meters(name);
        published = meters.counter("tailrace.tap.published", "Generations that were handed on");
        tokens = meters.counter("tailrace.tap.published.tokens", "Their tokens");
        for (SkipReason reason : SkipReason.values()) {
            skipped.put(
                    reason,
                    meters.counter(
                            "tailrace.tap.skipped",
                            "Answers, or choices of them, that were not published",
                            "reason",
                            reason.label()));
        }
        meters.reports(() -> List.of(reporter), reporter::failures);
        meters.gauge("tailrace.tap.publishing", "0 once generations no longer leave", () -> reporter.live() ? 1 : 0);
    }

    /** What is read of a tap that runs. */
    void gauges(ProxyServer proxy, Publisher publisher) {
        meters.gauge("tailrace.tap.requests.running", "Requests on their way", proxy::running);
        meters.gauge(
                "tailrace.tap.kept.bytes", "Bytes of bodies that are kept until they are published", proxy::keptBytes);
        meters.gauge("tailrace.tap.waiting", "Answers that wait to be published", publisher::waiting);
    }

    /** A request is over. The statuses of HTTP are few, so each is a meter. */
    void forwarded(String status) {
        meters.counter(
                        "tailrace.tap.requests",
                        "Requests that ended, by the status of their answer, or how it failed",
                        "status",
                        status)
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
        return meters.scrape();
    }

    @Override
    public void close() {
        meters.close();
    }
}
