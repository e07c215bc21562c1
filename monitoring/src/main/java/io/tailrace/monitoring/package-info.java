/**
 * What a process of the fleet shows its operators: meters for Prometheus, health, a page of words.
 *
 * <pre>{@code
 * try (Meters meters = new Meters("w1")) {
 *     LaneMeters lanes = new LaneMeters(meters, client::states, client::skippedRecords);
 *     meters.reports(() -> List.of(client.reporter()), client.reporter()::failures);
 *     OperatorEndpoint.start("127.0.0.1", 8021, () -> "ready", lanes::scrape, client::live, client::caughtUp);
 * }
 * }</pre>
 *
 * <p>Numbers and names only: no token leaves by them. What is metered, whoever runs the process decides.
 */
package io.tailrace.monitoring;
