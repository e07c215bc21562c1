/**
 * From admitted generations to lanes, per lane and shard.
 *
 * <p>{@link io.tailrace.operators.intake.ShardIntake} is the Flink function; {@code ShardRules} decides: repeats within the duplicate horizon, the quotas of the
 * scope and of its producers. Each generation that is taken in, and each change of numbers, goes on as a {@link io.tailrace.operators.intake.ShardProgress}.
 *
 * <pre>{@code
 * admitted.keyBy(OfferedGeneration::shardKey).connect(control)
 *         .process(new ShardIntake(IntakeOptions.defaults(8), tombstoneMillis, history, BoundTopics.only("generations")));
 * }</pre>
 *
 * <p>What a shard takes in, and only that, also goes to workers, to drift detection and, if it is sampled, to evaluate.
 */
package io.tailrace.operators.intake;
