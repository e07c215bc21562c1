/**
 * A serving worker that replays recorded requests: follows snapshots, drafts, verifies against the recorded answers, reports.
 *
 * <p>{@link io.tailrace.worker.ReplayWorker} serves one request at a time on the caller's thread, any number of callers.
 * {@link io.tailrace.worker.PacedReplay} deals the requests of an input over several workers at a pace.
 * {@link io.tailrace.worker.WorkerProcess} is one worker with its metrics endpoint, as a process of its own.
 *
 * <pre>{@code
 * try (ReplayWorker worker = new ReplayWorker(options)) {
 *     worker.start();
 *     ServedRequest served = worker.serve(request);
 *     worker.views().forEach(view -> System.out.println(view.lane() + " " + view.tokensPerStep()));
 * }
 * }</pre>
 *
 * <p>This package does not run models: what a model would have said is in the recorded answer.
 */
package io.tailrace.worker;
