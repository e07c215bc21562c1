package io.tailrace.client.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void waitsDoubleWithEachFailureUpToTheBound() {
        Backoff backoff = new Backoff(100, 5_000);
        assertThat(new long[] {backoff.millis(0), backoff.millis(1), backoff.millis(2), backoff.millis(6)})
                .containsExactly(0, 100, 200, 3_200);
        assertThat(backoff.millis(7)).isEqualTo(5_000);
        assertThat(backoff.millis(Integer.MAX_VALUE)).isEqualTo(5_000);
    }

    @Test
    void boundsAreChecked() {
        assertThatThrownBy(() -> new Backoff(0, 1)).hasMessage("millisMin must be at least 1, got 0");
        assertThatThrownBy(() -> new Backoff(2, 1)).hasMessage("millisMax must be at least millisMin, got 1");
    }
}
