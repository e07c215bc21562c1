/**
 * What is learned of a lane beside its text: mixer weights, whether they are better than the ones in use, whether the traffic is
 * still what it was.
 *
 * <p>{@link io.tailrace.suffix.learn.GenerationReplay} walks a finished generation as a worker would have served it;
 * {@link io.tailrace.suffix.learn.WeightMean} averages weights learned apart, {@link io.tailrace.suffix.learn.LocalWeights} keeps
 * what a worker has learned itself when a new policy comes, or an earlier one comes back; {@link io.tailrace.suffix.learn.PolicyTrial} judges a policy against
 * another; {@link io.tailrace.suffix.learn.DriftDetector} watches for shifts.
 *
 * <pre>{@code
 * DriftDetector detector = new DriftDetector(state, 1_000_000);
 * if (detector.onGeneration(TokenReference.sketch(tokens), now) == DriftDetector.Change.ALARM) { ... }
 * }</pre>
 *
 * <p>Everything is a plain class over plain state, one thread at a time: who calls it keeps the state and the clock.
 */
package io.tailrace.suffix.learn;
