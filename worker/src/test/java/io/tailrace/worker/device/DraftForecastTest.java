package io.tailrace.worker.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.testkit.Cases;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class DraftForecastTest {
    private static final int PROBABILITIES = 16 + 5 * Integer.BYTES * DraftPolicy.BUDGET_MAX;

    @Test
    void aRanksProbabilityIsThatOfTheDraftsBeforeTheLastOneCountingHalf() {
        Cases.forEachSeed(200, seed -> {
            Random random = new Random(seed);
            DraftForecast forecast = new DraftForecast();
            double[] expected = new double[DraftPolicy.BUDGET_MAX];
            Arrays.fill(expected, 0.5);
            for (int step = 0; step < 20; step++) {
                int budget = random.nextInt(DraftPolicy.BUDGET_MAX + 1);
                float[] said = falling(random, random.nextInt(budget + 1));
                forecast.learn(draft(said), budget);
                for (int rank = 0; rank < budget; rank++) {
                    expected[rank] = (expected[rank] + (rank < said.length ? said[rank] : 0)) / 2;
                }
                Draft next = forecast.of(DraftPolicy.BUDGET_MAX);
                for (int rank = 0; rank < expected.length; rank++) {
                    assertThat((double) next.probability(rank)).isEqualTo(expected[rank], Offset.offset(1e-5));
                }
            }
        });
    }

    /** The budget cuts from the end: a forecast that rose with the rank would keep the wrong nodes. */
    @Test
    void laterRanksAreNeverLikelier() {
        Cases.forEachSeed(200, seed -> {
            Random random = new Random(seed);
            DraftForecast forecast = new DraftForecast();
            for (int step = 0; step < 20; step++) {
                forecast.learn(draft(falling(random, random.nextInt(17))), 16);
            }
            Draft next = forecast.of(16);
            for (int rank = 1; rank < 16; rank++) {
                assertThat(next.probability(rank)).isLessThanOrEqualTo(next.probability(rank - 1));
            }
        });
    }

    @Test
    void aRequestBeginsWithWhatTheOthersHadAndGoesItsOwnWay() {
        DraftForecast others = new DraftForecast();
        others.learn(draft(new float[] {0.9f}), 2);
        DraftForecast own = new DraftForecast(others);
        assertThat(own.of(2).probability(0)).isEqualTo(0.7f);
        own.learn(draft(new float[0]), 2);
        assertThat(own.of(2).probability(0)).isEqualTo(0.35f);
        assertThat(others.of(2).probability(0)).isEqualTo(0.7f);
        assertThat(own.of(1).size()).isOne();
    }

    private static float[] falling(Random random, int nodes) {
        float[] said = new float[nodes];
        float next = 1;
        for (int node = 0; node < nodes; node++) {
            next *= random.nextFloat();
            said[node] = next;
        }
        return said;
    }

    private static DeviceDraft draft(float[] probabilities) {
        ByteBuffer bytes = ByteBuffer.allocate(DeviceDraft.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(8, probabilities.length);
        for (int node = 0; node < probabilities.length; node++) {
            bytes.putFloat(PROBABILITIES + Float.BYTES * node, probabilities[node]);
        }
        return new DeviceDraft(bytes);
    }
}
