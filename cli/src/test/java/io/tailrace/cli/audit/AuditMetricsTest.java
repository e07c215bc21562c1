package io.tailrace.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.terminal.ExitCodes;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditMetricsTest {
    @Test
    void failedChecksAreCountedByCheckAndOverWithTheNextAudit() {
        try (AuditMetrics metrics = new AuditMetrics()) {
            assertThat(metrics.complete()).isFalse();
            metrics.found(List.of(
                    Finding.of("a", "tokens", false, ""),
                    Finding.of("b", "tokens", false, ""),
                    Finding.of("a", "files", true, ""),
                    new Finding("a", "answers", Finding.Result.UNKNOWN, "")));
            assertThat(metrics.complete()).isTrue();
            assertThat(failed(metrics, "tokens")).isEqualTo("2.0");
            assertThat(failed(metrics, "files")).isEqualTo("0.0");
            assertThat(failed(metrics, "answers")).isEqualTo("0.0");
            assertThat(metrics.scrape()).contains("tailrace_audit_unknown{worker=\"audit\"} 1.0");
            metrics.found(List.of(Finding.of("a", "tokens", true, "")));
            assertThat(failed(metrics, "tokens")).isEqualTo("0.0");
            assertThat(metrics.scrape()).contains("tailrace_audit_completed_total{worker=\"audit\"} 2.0");
        }
    }

    @Test
    void lostTokensAreToldAndAreNoFailureUnlessAskedFor() {
        Finding lost = new Finding("toy@1/acme", "tokens", Finding.Result.LOST, "5 lost");
        List<Finding> found = List.of(Finding.of("b", "tokens", true, ""), lost);
        try (AuditMetrics metrics = new AuditMetrics()) {
            metrics.found(found);
            assertThat(metrics.scrape()).contains("tailrace_audit_lost{worker=\"audit\"} 1.0");
            assertThat(failed(metrics, "tokens")).isEqualTo("0.0");
        }
        assertThat(AuditCommand.exitCode(found, false)).isEqualTo(ExitCodes.DONE);
        assertThat(AuditCommand.exitCode(found, true)).isEqualTo(ExitCodes.FELL_SHORT);
        assertThat(AuditCommand.warning(found)).contains("tokens are lost of 1 lanes, the first is toy@1/acme");
        List<Finding> well = found.subList(0, 1);
        assertThat(AuditCommand.exitCode(well, true)).isEqualTo(ExitCodes.DONE);
        assertThat(AuditCommand.warning(well)).isEmpty();
    }

    @Test
    void anAuditThatCouldNotBeCarriedOutLeavesWhatWasFoundLast() {
        try (AuditMetrics metrics = new AuditMetrics()) {
            metrics.found(List.of(Finding.of("a", "versions rise", false, "")));
            metrics.failedToRun();
            assertThat(failed(metrics, "versions rise")).isEqualTo("1.0");
            assertThat(metrics.scrape()).contains("tailrace_audit_failures_total{worker=\"audit\"} 1.0");
        }
    }

    private static String failed(AuditMetrics metrics, String check) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("tailrace_audit_failed{check=\"" + check + "\""))
                .map(line -> line.substring(line.indexOf('}') + 2))
                .findFirst()
                .orElse("absent");
    }
}
