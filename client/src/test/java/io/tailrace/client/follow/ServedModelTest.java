package io.tailrace.client.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ServedModelTest {
    /** A segment bears it: a longer one could be served, and nothing of it kept. */
    @Test
    void aTokenizersFingerprintIsNoLongerThanSegmentsTake() {
        assertThat(new ServedModel("m", "1", 50, "x".repeat(64)).tokenizerFingerprint())
                .hasSize(64);
        assertThatThrownBy(() -> new ServedModel("m", "1", 50, "sha256:" + "0".repeat(64)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tokenizerFingerprint must be 1 to 64 bytes");
    }
}
