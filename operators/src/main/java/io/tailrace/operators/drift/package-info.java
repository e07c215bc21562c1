/**
 * Notices when a lane's traffic shifts.
 *
 * <p>{@link io.tailrace.operators.drift.DriftWatch} is the Flink function, keyed by lane; the test is
 * {@link io.tailrace.suffix.learn.DriftDetector}. It is shown {@link io.tailrace.operators.drift.DriftWatch.Observation}s and tells the lane's publisher by
 * {@link io.tailrace.operators.drift.DriftWatch.Report}s. An alarm also goes to topic events.
 *
 * <pre>{@code
 * observations.keyBy(DriftWatch.Observation::lane).process(new DriftWatch(1_000_000));
 * }</pre>
 *
 * <p>What an alarm changes is decided elsewhere: admission samples everything, mixers learn faster, older generations age faster.
 */
package io.tailrace.operators.drift;
