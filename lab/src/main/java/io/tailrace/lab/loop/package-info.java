/**
 * What the loop says of itself, read from Kafka like anyone else could.
 *
 * <p>{@link io.tailrace.lab.loop.LoopObserver} tails the topics that workers and the job write and adds up outcomes,
 * rejections, announcements and the job's accounts; {@link io.tailrace.lab.loop.LoopAccounting} says whether they close.
 *
 * <pre>{@code
 * try (LoopObserver observer = new LoopObserver(clientSettings, "")) {
 *     observer.poll(Duration.ofMillis(200));
 *     double tokensPerStep = observer.total().tokensPerStep();
 * }
 * }</pre>
 *
 * <p>Nothing here writes.
 */
package io.tailrace.lab.loop;
