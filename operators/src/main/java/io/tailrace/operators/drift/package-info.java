/**
 * Notices when a lane's traffic shifts.
 *
 * <p>{@link io.tailrace.operators.drift.DriftWatch} is the Flink function, keyed by lane; the test is
 * {@link io.tailrace.suffix.learn.DriftDetector}. An alarm goes to topic events, makes the lane's memtables flush, and reaches its publisher.
 *
 * <pre>{@code
 * observations.keyBy(LaneObservation::lane).process(new DriftWatch(1_000_000));
 * }</pre>
 *
 * <p>What an alarm changes is decided elsewhere: admission samples everything, mixers learn faster, older generations age faster.
 */
package io.tailrace.operators.drift;
