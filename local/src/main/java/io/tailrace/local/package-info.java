/**
 * The loop on one machine, in one process: a real Kafka broker with its topics, a real Flink cluster with its dashboard, and the index job
 * with a store in a folder. What the {@code job} command, the demo and the end-to-end tests stand on.
 *
 * <p>{@link io.tailrace.local.LocalLoop} starts the parts in order and closes them in reverse order;
 * {@link io.tailrace.local.EmbeddedBroker} and {@link io.tailrace.local.LocalFlink} also stand alone.
 *
 * <pre>{@code
 * ModelCatalog.Model model = new ModelCatalog.Model("llama", "1", 128_256, "3f2a");
 * try (LocalLoop loop = LocalLoop.start(LocalLoop.Options.in(folder, model))) {
 *     producerSettings.put("bootstrap.servers", loop.bootstrap());
 * }
 * }</pre>
 *
 * <p>No workers: they are whatever connects. Nothing here is meant for production: one broker, replication factor 1, loopback addresses only.
 */
package io.tailrace.local;
