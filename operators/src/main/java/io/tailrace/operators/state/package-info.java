/**
 * How operators keep their state: as Avro records, so that a savepoint names schemas and no classes.
 *
 * <p>A {@link io.tailrace.operators.state.StateCodec} writes a Java record by its schema, which lies beside it in the jar, and reads what any version of it
 * wrote. A {@link io.tailrace.operators.state.StateCell} is what Flink holds: the object that the task works on, and its bytes in checkpoints.
 *
 * <pre>{@code
 * StateCodec<Replica.State> codec = new StateCodec<>(Replica.State.class, "Replica");
 * ValueState<StateCell<Replica.State>> kept = context.getState(new ValueStateDescriptor<>("replica", StateCell.serializer()));
 * Replica.State replica = kept.value().get(codec);
 * }</pre>
 *
 * <p>Nothing here is part of the public contract: topics carry the records of {@code io.tailrace.schemas}.
 */
package io.tailrace.operators.state;
