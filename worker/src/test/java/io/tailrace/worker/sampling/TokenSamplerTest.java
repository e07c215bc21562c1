package io.tailrace.worker.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenSamplerTest {
    private final TokenSampler sampler = new TokenSampler();

    @Test
    void choosesAsTheDullSamplerDoes() {
        for (long seed = 0; seed < 5_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            float[] logits = logits(random, 1 + random.nextInt(300));
            SamplingParameters parameters = parameters(random);
            int position = random.nextInt(1_000);
            assertThat(sampler.sample(parameters, logits, logits.length, position))
                    .as("seed %d, %s, %d tokens", seed, parameters, logits.length)
                    .isEqualTo(DullSampler.sample(parameters, logits, position));
        }
    }

    /** Each seed is one draw: the frequencies of 200,000 seeds at one position against the exact probabilities. */
    @ParameterizedTest
    @CsvSource({"1.0, 0, 1.0", "0.7, 0, 1.0", "1.5, 12, 1.0", "1.0, 0, 0.8", "0.9, 20, 0.9"})
    void drawsFromTheDistributionThatTheParametersLeave(float temperature, int topK, float topP) {
        int draws = 200_000;
        float[] logits = logits(new SplittableRandom(3), 60);
        int[] seen = new int[logits.length];
        for (int seed = 0; seed < draws; seed++) {
            seen[sampler.sample(new SamplingParameters(temperature, topK, topP, seed), logits, logits.length, 17)]++;
        }
        List<DullSampler.Choice> expected =
                DullSampler.distribution(new SamplingParameters(temperature, topK, topP, 0), logits);
        assertThat(Arrays.stream(seen).filter(count -> count > 0).count()).isLessThanOrEqualTo(expected.size());
        ChiSquare.assertFits(seen, expected, draws);
    }

    /** The numbers of neighbouring positions and seeds must not hang together. */
    @Test
    void positionsOfOneSeedAreIndependentDraws() {
        int draws = 200_000;
        float[] logits = {0, 0, 0, 0};
        int[] pairs = new int[16];
        for (int position = 0; position < draws; position++) {
            SamplingParameters parameters = new SamplingParameters(1, 0, 1, 42);
            int first = sampler.sample(parameters, logits, 4, 2 * position);
            int second = sampler.sample(parameters, logits, 4, 2 * position + 1);
            pairs[4 * first + second]++;
        }
        List<DullSampler.Choice> even = java.util.stream.IntStream.range(0, 16)
                .mapToObj(pair -> new DullSampler.Choice(pair, 1 / 16.0))
                .toList();
        ChiSquare.assertFits(pairs, even, draws);
    }

    @Test
    void greedyTakesTheFirstOfTheLargestAndSaysHowFarItIsAhead() {
        assertThat(sampler.sample(SamplingParameters.GREEDY, new float[] {1, 3, 3, 2}, 4, 0))
                .isEqualTo(1);
        assertThat(sampler.margin()).isZero();
        assertThat(sampler.sample(SamplingParameters.GREEDY, new float[] {1, 3, 5, 2}, 4, 0))
                .isEqualTo(2);
        assertThat(sampler.margin()).isEqualTo(2);
    }

    @Test
    void oneTokenIsAlwaysChosen() {
        assertThat(sampler.sample(new SamplingParameters(1, 0, 1, 9), new float[] {-4}, 1, 5))
                .isZero();
        assertThat(sampler.sample(new SamplingParameters(1, 1, 0.001f, 9), new float[] {-4, 1, 0}, 3, 5))
                .isEqualTo(1);
    }

    @Test
    void aRowWithoutNumbersIsRefused() {
        float[] broken = {Float.NaN, Float.NaN};
        assertThatThrownBy(() -> sampler.sample(new SamplingParameters(1, 0, 1, 9), broken, 2, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("model");
        assertThatThrownBy(() -> sampler.sample(SamplingParameters.GREEDY, broken, 2, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void parametersOutOfBoundsAreRefused() {
        assertThatThrownBy(() -> new SamplingParameters(-0.1f, 0, 1, 0)).hasMessageContaining("temperature");
        assertThatThrownBy(() -> new SamplingParameters(Float.NaN, 0, 1, 0)).hasMessageContaining("temperature");
        assertThatThrownBy(() -> new SamplingParameters(1, -1, 1, 0)).hasMessageContaining("top_k");
        assertThatThrownBy(() -> new SamplingParameters(1, 0, 0, 0)).hasMessageContaining("top_p");
        assertThatThrownBy(() -> new SamplingParameters(1, 0, 1.1f, 0)).hasMessageContaining("top_p");
    }

    private static SamplingParameters parameters(SplittableRandom random) {
        float temperature = random.nextInt(5) == 0 ? 0 : (float) random.nextDouble(0.1, 3);
        int topK = random.nextBoolean() ? 0 : 1 + random.nextInt(40);
        float topP = random.nextBoolean() ? 1 : (float) random.nextDouble(0.05, 1);
        return new SamplingParameters(temperature, topK, topP, random.nextLong());
    }

    /** Some rows with equal logits, some with impossible tokens, some peaked. */
    private static float[] logits(SplittableRandom random, int length) {
        float[] logits = new float[length];
        int kind = random.nextInt(4);
        for (int token = 0; token < length; token++) {
            double value = random.nextDouble(-4, 4);
            logits[token] = (float) (kind == 0 ? Math.rint(value) : kind == 1 ? 3 * value : value);
            if (kind == 2 && token > 0 && random.nextInt(3) == 0) {
                logits[token] = Float.NEGATIVE_INFINITY;
            }
        }
        return logits;
    }
}
