/**
 * What a worker tells the fleet: finished generations, verification outcomes, and what it serves each lane with.
 *
 * <p>{@link io.tailrace.client.report.Reporter} is the port, {@link io.tailrace.client.report.KafkaReporter} writes to topics
 * generations, outcomes and workers; {@link io.tailrace.client.report.ServedRequest} turns a decoded request into its
 * records; {@link io.tailrace.client.report.StatusTicker} decides when a lane's status is due.
 *
 * <pre>{@code
 * reporter.generation(served.generation());
 * reporter.outcome(served.outcome());
 * }</pre>
 *
 * <p>This package does not retry by itself: Kafka's producer does, within its delivery timeout.
 */
package io.tailrace.client.report;
