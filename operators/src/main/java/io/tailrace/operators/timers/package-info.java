/**
 * Timers that fire in time although the time of day jumps. {@link io.tailrace.operators.timers.SteadyProcess} puts a function with
 * processing-time timers into the job; a function that is put in by Flink's own {@code process} waits for the time of day.
 *
 * <pre>{@code
 * SteadyProcess.of(stream.keyBy(Observation::lane), new DriftWatch(falseAlarms, epochs), DriftWatch.Report.class).uid(uid);
 * }</pre>
 *
 * <p>When a timer is to fire is the function's business.
 */
package io.tailrace.operators.timers;
