package io.tailrace.lab.weights;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.lab.replay.Requests;
import io.tailrace.suffix.draft.Mixer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeightTrainingTest {
    private final WeightTraining training = new WeightTraining(Integer.MAX_VALUE, tokens -> {});

    @Test
    void trainingTwiceGivesTheSameWeightsAndOthersThanUntrained() {
        List<ReplayStream> streams = streams(2);
        float[] first = training.train(streams);
        assertThat(training.train(streams)).isEqualTo(first);
        assertThat(Mixer.of(first).weights()).isNotEqualTo(Mixer.untrained().weights());
    }

    @Test
    void theWeightsOfAStreamWereTrainedWithoutIt() throws InterruptedException {
        List<ReplayStream> streams = streams(6);
        List<float[]> weights = StartingWeights.Choice.HELD_OUT.weights(streams, training, 2);
        assertThat(weights).hasSize(6);
        for (int i = 0; i < 6; i++) {
            List<ReplayStream> others = WeightTraining.others(streams, i);
            assertThat(others).doesNotContain(streams.get(i));
            assertThat(weights.get(i)).isEqualTo(training.train(others));
        }
    }

    @Test
    void shippedWeightsAreLeftToTheStrategyAndUntrainedOnesAreGiven() throws InterruptedException {
        assertThat(StartingWeights.Choice.SHIPPED
                        .weights(streams(1), training, 1)
                        .get(0))
                .isEmpty();
        assertThat(StartingWeights.Choice.UNTRAINED
                        .weights(streams(1), training, 1)
                        .get(0))
                .isEqualTo(Mixer.untrained().weights());
    }

    private static List<ReplayStream> streams(int count) {
        List<ReplayStream> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            streams.add(Requests.random("w" + i, 8, 15, i));
        }
        return streams;
    }
}
