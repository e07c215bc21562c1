/**
 * The loop in this process with workers that serve recorded requests, and what it says of itself, read from Kafka like anyone else could.
 *
 * <p>{@link io.tailrace.lab.loop.LoopUnderLoad} adds workers to a {@link io.tailrace.local.LocalLoop}.
 * {@link io.tailrace.lab.loop.LoopObserver} tails the topics that workers and the job write and adds up outcomes,
 * rejections, announcements and the job's accounts; {@link io.tailrace.lab.loop.LoopObserver.Accounting} says whether they close.
 *
 * <pre>{@code
 * try (LoopUnderLoad loop = LoopUnderLoad.start(LoopUnderLoad.options(folder, model));
 *         LoopObserver observer = loop.observe()) {
 *     loop.addWorker("worker-1").serve(request);
 *     observer.poll(Duration.ofMillis(200));
 *     double tokensPerStep = observer.total().tokensPerStep();
 * }
 * }</pre>
 *
 * <p>Starting the loop and reading it back is all that is done here; at which pace requests come is {@code load}, what a run means is {@code bench} and {@code demo}.
 */
package io.tailrace.lab.loop;
