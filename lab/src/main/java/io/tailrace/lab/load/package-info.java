/**
 * Recorded requests as load on a running loop: a worker without a model follows snapshots, drafts, verifies against the recorded answers, reports. The
 * demo's fleet, and the twin by which the loop is measured without a model; what serves people is {@code worker.serve}.
 *
 * <p>{@link io.tailrace.lab.load.LoadWorker} serves one request at a time on the caller's thread, any number of callers.
 * {@link io.tailrace.lab.load.RequestDecoder} runs one request from its first step to its last with one
 * {@link io.tailrace.suffix.draft.Drafter}, and leases the lane's snapshot anew for every step, so that a snapshot may be swapped
 * under a running request. {@link io.tailrace.lab.load.PacedLoad} deals the requests of an input over several workers at a pace;
 * {@link io.tailrace.lab.load.LoadProcess} is one worker with its metrics endpoint, as a process of its own.
 *
 * <pre>{@code
 * try (LoadWorker worker = new LoadWorker(options)) {
 *     worker.start();
 *     ServedRequest served = worker.serve(request);
 *     worker.views().forEach(view -> System.out.println(view.lane() + " " + view.tokensPerStep()));
 * }
 * }</pre>
 *
 * <p>This package does not run models: what a model would have said is in the recorded answer.
 */
package io.tailrace.lab.load;
