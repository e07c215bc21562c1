/**
 * The stream's operators: thin Flink functions around plain classes.
 *
 * <p>A generation is admitted ({@link io.tailrace.operators.admission.Admission}), taken in per lane and shard
 * ({@link io.tailrace.operators.intake.ShardIntake}), and folded into announced snapshots per lane
 * ({@link io.tailrace.operators.publishing.LanePublisher}); outcomes are summed beside that
 * ({@link io.tailrace.operators.outcomes.OutcomeAggregation}). Each of these wires state, timers and outputs; what they
 * decide stands in a plain class beside them that is tested with {@code new}.
 *
 * <pre>{@code
 * KeyedStream<OfferedGeneration, String> admitted =
 *         raw.process(new Admission(options, sampling, firstOffsets)).uid(OperatorIds.ADMISSION).keyBy(OfferedGeneration::shardKey);
 * ShardIntake intake = new ShardIntake(options, tombstoneMillis, history, topics);
 * SteadyProcess.of(admitted, control, ControlState.descriptor(), intake, ShardProgress.class).uid(OperatorIds.SHARD_INTAKE);
 * }</pre>
 *
 * <p>No Kafka here: what comes in is a {@link io.tailrace.operators.RawRecord}, what goes out an
 * {@link io.tailrace.operators.OutgoingRecord}; {@code jobs} wires both to topics.
 */
package io.tailrace.operators;
