/**
 * The job in one thread: its functions as they are, over a broker, a store and clocks that are simulated.
 *
 * <p>{@link io.tailrace.e2e.simulation.Life} draws everything that happens from one seed, and {@link io.tailrace.e2e.simulation.Truth} knows what
 * should be. A seed lives the same life each time.
 *
 * <pre>{@code
 * new Life(seed, Fault.NONE, folder).live();
 * }</pre>
 *
 * <p>It can find what it is for: with each {@link io.tailrace.e2e.simulation.Fault} put back around the product, some life breaks a rule.
 *
 * <p>What it leaves out: workers with their followers and spools, rollbacks, signatures; threads, network, Flink's own recovery, real disks. The
 * tests in {@code io.tailrace.e2e.loop} have those.
 */
package io.tailrace.e2e.simulation;
