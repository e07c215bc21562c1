package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ServedChoiceTest {
    @Test
    void whatIsNotSaidIsHalfTheLayersFourTokensAndAThresholdOfOne() {
        assertThat(ServedChoice.parse("hybrid", 12))
                .isEqualTo(new ServedChoice("hybrid", 6, 4, 1, "draft-model:layers=6:tokens=4"));
        assertThat(ServedChoice.parse("draft-model", 1).layers()).isEqualTo(1);
    }

    @Test
    void aThresholdMayBeWithoutEnd() {
        assertThat(ServedChoice.parse("hybrid:threshold=Infinity:otherwise=token-recycling", 2))
                .isEqualTo(new ServedChoice("hybrid", 1, 4, Double.POSITIVE_INFINITY, "token-recycling"));
    }

    @Test
    void unknownParametersAndValuesOutOfBoundsAreRefused() {
        assertThatThrownBy(() -> ServedChoice.parse("draft-model:threshold=1", 2))
                .hasMessageContaining("[layers, tokens]");
        assertThatThrownBy(() -> ServedChoice.parse("draft-model:layers=3", 2)).hasMessageContaining("layers");
        assertThatThrownBy(() -> ServedChoice.parse("hybrid:otherwise=luck", 2)).hasMessageContaining("luck");
    }

    @Test
    void otherNamesAreNoneOfThem() {
        assertThat(ServedChoice.isServedOnly("adaptive:tree=false")).isFalse();
        assertThat(ServedChoice.isServedOnly("hybrid:threshold=2")).isTrue();
    }
}
