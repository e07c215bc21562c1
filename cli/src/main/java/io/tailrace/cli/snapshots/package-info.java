/**
 * The {@code snapshots} command: what versions a lane has, and which one its workers serve.
 *
 * <p>{@link io.tailrace.cli.snapshots.SnapshotsCommand} groups the commands; each is a class of its own here.
 * {@link io.tailrace.cli.snapshots.LaneTopics} reads what Kafka says of a lane.
 *
 * <pre>{@code
 * tailrace snapshots list --bootstrap localhost:9092 --lane llama@1/acme
 * tailrace snapshots rollback 1790000000000 --bootstrap localhost:9092 --lane llama@1/acme
 * }</pre>
 *
 * <p>Commands go to topic control, which workers read themselves: they obey also while the job is down.
 */
package io.tailrace.cli.snapshots;
