package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SourceSharesTest {
    @Test
    void whatHasLearnedNothingTrustsEveryVoteAlike() {
        Map<SourceKind, Double> shares = SourceShares.of(Mixer.untrained().weights());
        assertThat(shares).hasSize(SourceKind.values().length);
        shares.forEach((kind, share) -> assertThat(share)
                .as(kind.label())
                .isCloseTo((kind == SourceKind.SIMILAR ? 11 : 8) / 75.0, within(1e-9)));
    }

    /** One source's weights doubled in every set, by the layout that the mixer's inputs have: source after source, length after length. */
    @Test
    void doubledWeightsOfOneSourceDoubleItAgainstEachOther() {
        float[] weights = Mixer.untrained().weights();
        for (int set = 0; set < Features.LENGTH_SETS + Features.CROWD_SETS; set++) {
            for (int length = 0; length < Features.LEVELS; length++) {
                int at = set * Features.COUNT + SourceKind.FRESH.index() * Features.LEVELS + length;
                weights[at] = -2 * weights[at];
            }
        }
        Map<SourceKind, Double> shares = SourceShares.of(weights);
        assertThat(shares.get(SourceKind.FRESH)).isCloseTo(16 / 83.0, within(1e-6));
        assertThat(shares.get(SourceKind.OWN)).isCloseTo(8 / 83.0, within(1e-6));
        assertThat(shares.values().stream().mapToDouble(Double::doubleValue).sum())
                .isCloseTo(1, within(1e-9));
    }

    @Test
    void weightsOfAnotherLayoutAreRefused() {
        assertThatThrownBy(() -> SourceShares.of(new float[3])).hasMessageContaining("got 3");
    }
}
