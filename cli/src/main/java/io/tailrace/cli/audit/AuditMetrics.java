package io.tailrace.cli.audit;

import io.tailrace.monitoring.Meters;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What the last audit of a process found, for Prometheus. Safe for any number of threads. */
final class AuditMetrics implements AutoCloseable {
    /** Every check that there is. */
    static final List<String> CHECKS =
            List.of("readable", "records", "acknowledged", "tokens", "versions rise", "files", "deletes", "answers");

    private final Meters meters = new Meters("audit");
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private volatile List<Finding> last = List.of();
    private volatile long lastNanos = System.nanoTime();

    AuditMetrics() {
        for (String check : CHECKS) {
            meters.gauge(
                    "tailrace.audit.failed",
                    "Lanes, or the installation, for which a check failed in the last audit",
                    () -> failed(check),
                    "check",
                    check);
        }
        meters.gauge(
                "tailrace.audit.lost",
                "Lanes of which the last audit found tokens lost",
                () -> last.stream()
                        .filter(finding -> finding.result() == Finding.Result.LOST)
                        .count());
        meters.gauge(
                "tailrace.audit.unknown",
                "Checks that the last audit could not judge",
                () -> last.stream()
                        .filter(finding -> finding.result() == Finding.Result.UNKNOWN)
                        .count());
        meters.gauge(
                "tailrace.audit.age.seconds",
                "Since the last audit was complete, or since the start",
                () -> TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - lastNanos));
        meters.counter("tailrace.audit.completed", "Audits that were complete", completed::get);
        meters.counter("tailrace.audit.failures", "Audits that could not be carried out", failures::get);
    }

    private long failed(String check) {
        return last.stream()
                .filter(finding -> finding.check().equals(check) && finding.result() == Finding.Result.FAILED)
                .count();
    }

    /** An audit is complete. */
    void found(List<Finding> findings) {
        last = List.copyOf(findings);
        lastNanos = System.nanoTime();
        completed.incrementAndGet();
    }

    /** An audit could not be carried out. */
    void failedToRun() {
        failures.incrementAndGet();
    }

    /** Whether an audit has been complete. */
    boolean complete() {
        return !last.isEmpty();
    }

    /** What the last audit found. */
    List<Finding> last() {
        return last;
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
