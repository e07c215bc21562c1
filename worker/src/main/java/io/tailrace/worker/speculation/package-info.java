/**
 * The speculation cache: drafts prepared while a verification is in flight, for its likely endings (Kumar, Dao, May:
 * "Speculative Speculative Decoding", arXiv 2603.03251, there called Saguaro).
 *
 * <p>A verification ends at a {@linkplain io.tailrace.worker.speculation.Forks fork}: the last accepted node and the model's own
 * token behind it. {@link io.tailrace.worker.speculation.FanOut} says which forks to prepare, {@link
 * io.tailrace.worker.speculation.SpeculationCache} holds what was prepared, {@link io.tailrace.worker.speculation.Fallback} says
 * what to do on a miss.
 *
 * <pre>{@code
 * Forks likely = new Forks(64);
 * FanOut.bestFirst(all, 14, likely);                 // while the model verifies
 * cache.put(likely.node(0), likely.token(0), draft, readyNanos);
 * Draft next = cache.take(lastAccepted, ownToken, nowNanos); // null: a miss
 * }</pre>
 *
 * <p>Nothing here drafts, verifies or starts threads. What it would hide on a recorded trace, the laboratory simulates.
 */
package io.tailrace.worker.speculation;
