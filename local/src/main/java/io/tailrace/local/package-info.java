/**
 * The whole loop on one machine, in one process: a real Kafka broker, a real Flink cluster with its dashboard, and replaying
 * workers. What the demo and the end-to-end tests run.
 *
 * <p>{@link io.tailrace.lab.loop.LocalLoop} starts the parts in order and closes them in reverse order;
 * {@link io.tailrace.local.EmbeddedBroker} and {@link io.tailrace.local.LocalFlink} also stand alone.
 *
 * <pre>{@code
 * try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"))) {
 *     producerSettings.put("bootstrap.servers", broker.bootstrap());
 * }
 * }</pre>
 *
 * <p>Nothing here is meant for production: one broker, replication factor 1, loopback addresses only.
 */
package io.tailrace.local;
