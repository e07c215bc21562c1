/**
 * The mixer's weights at the start of a replay: those that ship, none, or weights trained without what is measured.
 *
 * <p>{@link io.tailrace.lab.weights.StartingWeights} is what option {@code --weights} names;
 * {@link io.tailrace.lab.weights.WeightTraining} has one mixer serve several streams in turn and keeps what it learned.
 *
 * <pre>{@code
 * List<float[]> weights = StartingWeights.named("held-out", 100).of(streams, 1, err);
 * }</pre>
 *
 * <p>The mixer itself, and how it learns while it serves, is {@link io.tailrace.suffix.draft.Mixer}.
 */
package io.tailrace.lab.weights;
