/**
 * What a worker tells the fleet: finished generations, verification outcomes, and what it serves each lane with.
 *
 * <p>{@link io.tailrace.client.report.ServedRequest} turns a decoded request into its records; {@link io.tailrace.client.report.Reporter} takes
 * them to topics generations, outcomes and workers. A spooled one keeps generations and outcomes on disk until Kafka has them: a broker
 * that is away, or a worker that is killed, loses none. What a full disk does not take waits in memory, within a bound, and is counted.
 *
 * <pre>{@code
 * try (Reporter reporter = Reporter.spooled("w1", folder, 256 << 20, () -> producer, ReportTopics.everybodys(""), Duration.ofSeconds(10))) {
 *     reporter.generation(served.generation());
 *     reporter.outcome(served.outcome());
 * }
 * }</pre>
 *
 * <p>A record may be sent twice (a crash between sending and noting it): the job counts generations and outcomes once. The spool's files hold user
 * data; keep the folder as private as topic generations. A buffered reporter does not retry by itself: Kafka's producer does.
 */
package io.tailrace.client.report;
