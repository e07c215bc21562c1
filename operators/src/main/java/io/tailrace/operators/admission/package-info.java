/**
 * What enters the index and what does not.
 *
 * <p>{@link io.tailrace.operators.admission.AdmissionRules} judges one record of topic generations after another;
 * {@link io.tailrace.operators.admission.Admission} is the Flink function around it, and
 * {@link io.tailrace.operators.admission.LaneRegister} says of lanes that are new whether there is a place for them. What passes is an
 * {@link io.tailrace.operators.admission.OfferedGeneration}, keyed by lane and shard; what does not is a rejection with its
 * reason, topic, partition and offset, and the job goes on.
 *
 * <pre>{@code
 * SingleOutputStreamOperator<OfferedGeneration> admitted = raw.process(new Admission(options, sampling, firstOffsets));
 * DataStream<OfferedGeneration> ofNewLanes = admitted.getSideOutput(OfferedGeneration.OF_NEW_LANES)
 *         .keyBy(offered -> LaneRegister.KEY).connect(announced.keyBy(lane -> LaneRegister.KEY))
 *         .process(new LaneRegister(lanesMax, BoundTopics.only("generations")));
 * DataStream<RejectedRecord> rejected = admitted.getSideOutput(RejectedRecord.OUTPUT);
 * }</pre>
 *
 * <p>Repeats and quotas need a shard's memory; {@link io.tailrace.operators.intake.ShardIntake} decides them.
 */
package io.tailrace.operators.admission;
