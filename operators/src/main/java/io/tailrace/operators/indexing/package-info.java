/**
 * From admitted generations to level-0 segments, per lane and shard.
 *
 * <p>{@link io.tailrace.operators.indexing.ShardIndexer} is the Flink function; {@code ShardIndex} decides: repeats within
 * the duplicate horizon, the quotas of the scope and of its producers, what waits in the memtable and when it is flushed. Each flush and each change of
 * numbers goes on as a {@link io.tailrace.operators.indexing.ShardProgress}.
 *
 * <pre>{@code
 * admitted.keyBy(OfferedGeneration::shardKey).connect(control)
 *         .process(new ShardIndexer(IndexingOptions.defaults(8), tombstoneMillis, models, stores, history, "", BoundTopics.only("generations")));
 * }</pre>
 *
 * <p>What a shard gathers, and only that, also goes to drift detection and, if it is sampled, to evaluate.
 *
 * <p>It announces nothing: a level-0 segment reaches no worker before the lane's publisher has folded it.
 */
package io.tailrace.operators.indexing;
