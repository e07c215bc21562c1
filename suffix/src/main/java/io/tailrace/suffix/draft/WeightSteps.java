package io.tailrace.suffix.draft;

import java.util.Arrays;

/**
 * The steps of a mixer's weights, each at a rate of its own: a constant by the root of the squares of the weight's gradients, as AdaGrad takes
 * them (Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization", JMLR 12, 2011, figure 1).
 * The sum begins above zero, so that first steps are small, and what is beyond that fades with each step: traffic shifts, and a weight
 * must not stop to learn. So a weight that many places move comes to rest, and one that few places move still learns.
 */
final class WeightSteps {
    private static final float RATE = 0.08f;
    private static final float SQUARES_FIRST = 25;
    /** Share of the excess that a step takes away. */
    private static final float FADED = 0.0002f;

    private final float[] weights;
    /** Of each weight the sum of its gradients' squares. */
    private final float[] squares;

    private float rate = RATE;

    /** Steps of these weights, which have learned nothing. */
    WeightSteps(float[] weights) {
        this.weights = weights;
        this.squares = new float[weights.length];
        Arrays.fill(squares, SQUARES_FIRST);
    }

    /** From now on so many times as far as usual. */
    void hurry(float times) {
        rate = RATE * times;
    }

    /** One step of a weight by the sum of several gradients, which may cancel each other out, and the sum of their squares, which do not. */
    void take(int weight, float gradient, float square) {
        float sum = squares[weight];
        sum += square - FADED * (sum - SQUARES_FIRST);
        squares[weight] = sum;
        weights[weight] += rate * gradient / (float) Math.sqrt(sum);
    }

    /** A copy of the weights and of the squares behind them. */
    float[] learned() {
        float[] learned = Arrays.copyOf(weights, 2 * weights.length);
        System.arraycopy(squares, 0, learned, weights.length, squares.length);
        return learned;
    }

    /** Takes over what {@link #learned} said; nothing of another length. */
    void resume(float[] learned) {
        if (learned.length == 2 * weights.length) {
            System.arraycopy(learned, 0, weights, 0, weights.length);
            System.arraycopy(learned, weights.length, squares, 0, squares.length);
        }
    }
}
