package io.tailrace.client.budget;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShapesTest {
    @Test
    void eachBatchAndNumberOfDraftTokensIsNewOnce() {
        Shapes shapes = new Shapes();
        for (int round = 0; round < 2; round++) {
            for (int batch = 1; batch <= StepCosts.BATCH_EXACT; batch++) {
                for (int drafted = 0; drafted < 32; drafted++) {
                    assertThat(shapes.add(batch, batch + drafted))
                            .as("batch %d, %d draft tokens", batch, drafted)
                            .isEqualTo(round == 0);
                }
            }
        }
    }

    @Test
    void manyDraftTokensAreToldApartByAnEighthOfAnOctave() {
        Shapes shapes = new Shapes();
        int found = 0;
        for (int tokens = 1; tokens <= 1 << 16; tokens++) {
            found += shapes.add(1, tokens) ? 1 : 0;
        }
        assertThat(found).isEqualTo(32 + 8 * 11);
        assertThat(shapes.add(1, 1 + 64)).isFalse();
        assertThat(shapes.add(2, 2 + 64)).isTrue();
        assertThat(shapes.add(2, 2 + 71)).isFalse();
        assertThat(shapes.add(2, 2 + 72)).isTrue();
        assertThat(shapes.add(1, Integer.MAX_VALUE)).isTrue();
        assertThat(shapes.add(100, 100)).isTrue();
        assertThat(shapes.add(110, 110))
                .as("large batches are told apart by a quarter of an octave")
                .isFalse();
        assertThat(shapes.add(112, 112)).isTrue();
    }
}
