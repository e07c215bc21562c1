/**
 * A forward pass as bookkeeping, before any engine sees it: which cache rows a sequence owns, which tokens look at which, and
 * how several requests of different lengths share one pass.
 *
 * <p>{@link io.tailrace.worker.pass.CacheRows} is the cache's free list, {@link io.tailrace.worker.pass.CachedSequence} a
 * request's rows, {@link io.tailrace.worker.pass.PassPlanner} makes a {@link io.tailrace.worker.pass.PassPlan} of a batch.
 *
 * <pre>{@code
 * CacheRows rows = new CacheRows(4096);
 * PassPlanner planner = new PassPlanner(rows, 32_000, 2048, 256);
 * PassPlan plan = planner.plan(List.of(TreeInput.line(new CachedSequence(rows), prompt, prompt.length)));
 * }</pre>
 *
 * <p>This package computes no attention and touches no native memory.
 */
package io.tailrace.worker.pass;
