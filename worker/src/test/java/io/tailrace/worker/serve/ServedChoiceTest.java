package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.worker.draftmodel.ModelDrafts;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServedChoiceTest {
    @Test
    void whatIsNotSaidIsHalfTheLayersFourTokensAndAThresholdOfOne() {
        assertThat(ServedChoice.parse("hybrid", 12))
                .isEqualTo(new ServedChoice(
                        "hybrid", Optional.empty(), 6, new ModelDrafts.Options(4, 0), 1, ServedChoice.DRAFT_MODEL));
        assertThat(ServedChoice.parse("draft-model", 1).layers()).isEqualTo(1);
    }

    @Test
    void aThresholdMayBeWithoutEnd() {
        assertThat(ServedChoice.parse("hybrid:threshold=Infinity:otherwise=token-recycling", 2))
                .isEqualTo(new ServedChoice(
                        "hybrid",
                        Optional.empty(),
                        1,
                        new ModelDrafts.Options(4, 0),
                        Double.POSITIVE_INFINITY,
                        "token-recycling"));
    }

    @Test
    void aModelOfItsOwnIsNamedByItsFolder() {
        ServedChoice choice = ServedChoice.parse("draft-model:dir=/models/small=1:tokens=6:speculate=14", 2);
        assertThat(choice.directory()).contains(Path.of("/models/small=1"));
        assertThat(choice.drafting()).isEqualTo(new ModelDrafts.Options(6, 14));
        assertThatThrownBy(() -> ServedChoice.parse("draft-model:dir=/models/small:layers=1", 2))
                .hasMessageContaining("not both");
    }

    @Test
    void unknownParametersAndValuesOutOfBoundsAreRefused() {
        assertThatThrownBy(() -> ServedChoice.parse("draft-model:threshold=1", 2))
                .hasMessageContaining("[dir, layers, speculate, tokens]");
        assertThatThrownBy(() -> ServedChoice.parse("draft-model:layers=3", 2)).hasMessageContaining("layers");
        assertThatThrownBy(() -> ServedChoice.parse("hybrid:otherwise=luck", 2)).hasMessageContaining("luck");
    }

    @Test
    void otherNamesAreNoneOfThem() {
        assertThat(ServedChoice.isServedOnly("adaptive:tree=false")).isFalse();
        assertThat(ServedChoice.isServedOnly("hybrid:threshold=2")).isTrue();
    }
}
