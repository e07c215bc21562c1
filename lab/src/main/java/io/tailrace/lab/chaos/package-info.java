/**
 * {@code tailrace chaos}: breaks an installation of real processes by faults that a seed decides, and judges what is left of it.
 *
 * <p>{@link io.tailrace.lab.chaos.Installation} starts and tends the processes, {@link io.tailrace.lab.chaos.Schedule} says what is
 * broken when, {@link io.tailrace.lab.chaos.ChaosRun} does it and measures recoveries, {@link io.tailrace.lab.chaos.Judge} compares with
 * {@link io.tailrace.lab.chaos.Truth} and audits.
 *
 * <pre>{@code
 * ./tailrace chaos --seed 7 --minutes 5
 * }</pre>
 *
 * <p>This package simulates nothing: whoever wants a thousand times as many faults a minute takes the simulation in {@code e2e}.
 */
package io.tailrace.lab.chaos;
