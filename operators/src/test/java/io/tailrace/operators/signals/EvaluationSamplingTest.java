package io.tailrace.operators.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.schemas.RequestHash;
import org.junit.jupiter.api.Test;

final class EvaluationSamplingTest {
    @Test
    void aTenthIsTakenAllInAnAlarmAndReplicasShareEvenly() {
        EvaluationSample.Sampling sampling = EvaluationSample.Sampling.defaults();
        int taken = 0;
        int first = 0;
        for (int i = 0; i < 50_000; i++) {
            RequestHash hash = RequestHash.of("request-" + i);
            taken += sampling.takes(hash.high(), false) ? 1 : 0;
            first += sampling.replica(hash.low()) == 0 ? 1 : 0;
            assertThat(sampling.takes(hash.high(), true)).isTrue();
        }
        assertThat(taken).isBetween(4_700, 5_300);
        assertThat(first).isBetween(24_300, 25_700);
        assertThat(new EvaluationSample.Sampling(0, 1).takes(0, true)).isFalse();
        assertThatThrownBy(() -> new EvaluationSample.Sampling(1.1, 1)).hasMessageContaining("1.1");
    }
}
