/**
 * A Flink cluster of processes on this machine: a JobManager, TaskManagers, and the index job on them. What {@code tailrace cluster} and
 * {@code tailrace chaos} stand on. {@link io.tailrace.local.cluster.FlinkParts} says what each process is,
 * {@link io.tailrace.local.cluster.ChildProcess} runs one, {@link io.tailrace.local.cluster.FlinkJob} keeps the job going;
 * {@link io.tailrace.local.cluster.LocalCluster} is all of it with a broker, tended by whoever holds it.
 *
 * <pre>{@code
 * try (LocalCluster cluster = LocalCluster.start(options)) {
 *     cluster.tend(); // every second: starts again what has ended
 *     cluster.stop(); // with a savepoint
 * }
 * }</pre>
 *
 * <p>Nothing here is meant for production: one machine, no high availability, loopback addresses only.
 */
package io.tailrace.local.cluster;
