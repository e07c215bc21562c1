package io.tailrace.lab.bench.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class LeakReportTest {
    @Test
    void tokensBroughtOutOfAnotherScopeOrPastTheSpacingAreALeak() {
        assertThat(hidden("default", "other", 0.45)).isFalse();
        assertThat(hidden("spaced 3 ms", "shared", 0.45)).isFalse();
        assertThat(hidden("spaced 3 ms", "other", 0.45)).isFalse();
    }

    @Test
    void guessingAndTheSharedScopeOfAWorkerThatHidesNothingAreNone() {
        assertThat(hidden("default", "shared", 0.45)).isTrue();
        // 3.4 standard errors
        assertThat(hidden("default", "other", 0.40)).isTrue();
        // an attack that noise misleads
        assertThat(hidden("spaced 3 ms", "shared", 0.05)).isTrue();
    }

    @Test
    void aShareOfNothingIsNotKnownWithoutError() {
        Extraction.Count none = new Extraction.Count();
        none.add(new boolean[8]);
        assertThat(none.right()).isZero();
        assertThat(none.error()).isCloseTo(Math.sqrt(0.09 / 8), within(1e-9));
    }

    private static boolean hidden(String setting, String scope, double right) {
        Extraction.Row row =
                new Extraction.Row(setting, scope, Channel.SIZES.title(), right, 0.30, 0.0295, right, 0.5, 60, 4_000);
        return new LeakBench.Report(List.of(), List.of(row), List.of()).hidden();
    }
}
