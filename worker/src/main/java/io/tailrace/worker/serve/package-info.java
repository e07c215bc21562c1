/**
 * A serving worker with a real model: everything together.
 *
 * <p>{@link io.tailrace.worker.serve.ServingWorker} follows snapshots, drafts, decodes and reports;
 * {@link io.tailrace.worker.serve.ServingProcess} is one with its HTTP server, from start to orderly end;
 * {@link io.tailrace.worker.serve.WorkerMetrics} holds the meters that Prometheus scrapes, which show no token.
 *
 * <pre>{@code
 * try (ServingWorker worker = new ServingWorker(options, model)) {
 *     worker.start();
 *     Ticket ticket = worker.submit(request, sink);
 * }
 * }</pre>
 *
 * <p>It needs no Kafka: without, it drafts from its own answers, and from a folder of segments if there is one.
 */
package io.tailrace.worker.serve;
