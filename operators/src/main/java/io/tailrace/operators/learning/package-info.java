/**
 * What the job learns of a lane from its traffic: weights, policies, drift.
 *
 * <p>{@link io.tailrace.operators.learning.Replayer} replays a share of the generations against the lane's announced snapshots and
 * learns mixer weights; {@link io.tailrace.operators.learning.LaneLearning} averages them into candidates for the lane's policy and
 * judges these; {@link io.tailrace.operators.learning.DriftWatch} notices shifts.
 *
 * <pre>{@code
 * samples.keyBy(ReplaySample::replicaKey).connect(signals).process(new Replayer(options, models, stores, scratch));
 * observations.keyBy(LaneObservation::lane).process(new DriftWatch(1_000_000));
 * }</pre>
 *
 * <p>Sequential tests, replay and averaging themselves are plain classes of {@link io.tailrace.suffix.learn}.
 */
package io.tailrace.operators.learning;
