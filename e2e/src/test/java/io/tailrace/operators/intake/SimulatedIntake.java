package io.tailrace.operators.intake;

import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.state.StateCodec;
import org.apache.flink.util.function.SerializableSupplier;

/** Shards under a clock of the test's, and what their state holds. */
public final class SimulatedIntake {
    private static final StateCodec<ShardProgress.Counters> COUNTERS =
            new StateCodec<>(ShardProgress.Counters.class, "Shard");
    /** Name of their state. */
    public static final String COUNTED = "shard-counters";

    private SimulatedIntake() {}

    public static ShardIntake intake(
            IntakeOptions options,
            long tombstoneMillis,
            ControlCommand.History history,
            SerializableSupplier<Long> clock) {
        return new ShardIntake(options, tombstoneMillis, history, BoundTopics.only("generations"), clock);
    }

    /** Of one shard's state. */
    @SuppressWarnings("unchecked")
    public static ShardProgress.Counters counters(Object state) {
        return ((StateCell<ShardProgress.Counters>) state).get(COUNTERS);
    }
}
