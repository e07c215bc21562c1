package io.tailrace.client.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DecodeTallyTest {
    @Test
    void everyLengthIsInTheClassWithTheLargestBoundNotAboveIt() {
        for (int length = 1; length <= 100; length++) {
            int found = DecodeTally.classOf(length);
            assertThat(DecodeTally.matchLengthMin(found)).isLessThanOrEqualTo(length);
            if (found + 1 < DecodeTally.matchLengthClasses()) {
                assertThat(DecodeTally.matchLengthMin(found + 1)).isGreaterThan(length);
            }
        }
    }

    @Test
    void noMatchHasNoClass() {
        assertThatThrownBy(() -> DecodeTally.classOf(0)).hasMessageContaining("at least 1 token, got 0");
    }
}
