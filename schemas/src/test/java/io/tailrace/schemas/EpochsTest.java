package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EpochsTest {
    @Test
    void anEpochThatNoneCanFollowIsRefused() {
        Epochs.check(0);
        Epochs.check(Epochs.MAX);
        assertThatThrownBy(() -> Epochs.check(Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("epoch 9223372036854775807 is not in 0 to ");
        assertThatThrownBy(() -> Epochs.check(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
