/**
 * Publishes what was answered: each choice of an answer as a generation, if its token ids are known.
 *
 * <p>{@link io.tailrace.tap.publish.Publisher} takes exchanges and never makes anybody wait: what does not fit into its queue is counted and dropped.
 * {@link io.tailrace.tap.publish.Generations} decides; {@link io.tailrace.tap.publish.SkipReason} says why something is not published.
 *
 * <pre>{@code
 * try (Publisher publisher = new Publisher(generations, reporter, counts, 1_024)) {
 *     publisher.offer(exchange);
 * }
 * }</pre>
 *
 * <p>It forwards nothing, and logs no text.
 */
package io.tailrace.tap.publish;
