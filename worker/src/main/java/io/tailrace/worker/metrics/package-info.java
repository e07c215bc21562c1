/**
 * What a worker shows to Prometheus and to whoever watches its health.
 *
 * <p>{@link io.tailrace.worker.metrics.WorkerMetrics} holds the meters, {@link io.tailrace.worker.metrics.OperatorEndpoint}
 * answers {@code /metrics}, {@code /health/live} and {@code /health/ready}.
 *
 * <pre>{@code
 * try (OperatorEndpoint endpoint = OperatorEndpoint.start("0.0.0.0", 9464, metrics::scrape, worker::live, worker::ready)) { ... }
 * }</pre>
 *
 * <p>This package pushes nothing anywhere and shows no token.
 */
package io.tailrace.worker.metrics;
