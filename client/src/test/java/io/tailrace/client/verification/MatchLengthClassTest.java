package io.tailrace.client.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MatchLengthClassTest {
    @Test
    void everyLengthIsInTheClassWithTheLargestBoundNotAboveIt() {
        for (int length = 1; length <= 100; length++) {
            int found = MatchLengthClass.of(length);
            assertThat(MatchLengthClass.lowerBound(found)).isLessThanOrEqualTo(length);
            if (found + 1 < MatchLengthClass.count()) {
                assertThat(MatchLengthClass.lowerBound(found + 1)).isGreaterThan(length);
            }
        }
    }

    @Test
    void noMatchHasNoClass() {
        assertThatThrownBy(() -> MatchLengthClass.of(0)).hasMessageContaining("at least 1 token, got 0");
    }
}
