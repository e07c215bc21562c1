/**
 * An installation in one thread: the functions of its job, a worker's follower and spool as they are, over brokers, a store, a disk and clocks that
 * are simulated.
 *
 * <p>{@link io.tailrace.e2e.simulation.Life} draws everything that happens from one seed, and {@link io.tailrace.e2e.simulation.Truth} knows what
 * should be. Classes named {@code ...Rules} say what must not happen. A seed lives the same life each time.
 *
 * <pre>{@code
 * new Life(seed, Fault.NONE, folder).live();
 * }</pre>
 *
 * <p>It can find what it is for: with each {@link io.tailrace.e2e.simulation.Fault} put around the product, some life breaks a rule.
 *
 * <p>In one life of eight, commands and announcements are signed, and an {@link io.tailrace.e2e.simulation.Intruder} writes its own. In
 * the others it writes what every reader has to leave out.
 *
 * <p>What it leaves out: fresh answers, drafting, learning; what displaces a record at compaction; threads, network, Flink's own recovery, segments on real
 * disks that fail. The tests in {@code io.tailrace.e2e.loop} have those.
 */
package io.tailrace.e2e.simulation;
