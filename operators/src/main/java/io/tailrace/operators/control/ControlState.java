package io.tailrace.operators.control;

import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.state.StateCodec;
import io.tailrace.schemas.LaneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeutils.base.StringSerializer;

/**
 * The broadcast state of commands: the deletes, by command id. Other commands concern only the lanes that exist when they
 * come, and are not kept.
 *
 * <p>A delete is kept for as long as a generation it covers may still arrive: those completed longer ago than admission allows are
 * rejected. Until then shards and lanes that exist have taken it up, each in state of its own; what a savepoint restores hears of
 * later deletes again, from the topic, which keeps them for ever, and of earlier ones it had heard.
 */
public final class ControlState {
    public static final String NAME = "control-deletes";

    private static final StateCodec<ControlCommand> CODEC = new StateCodec<>(ControlCommand.class, "Delete");

    /** Of those that are past their time a task rids itself together. */
    static final long PRUNE_MILLIS = 60_000;

    private final long keptMillis;
    private long prunedAt = Long.MIN_VALUE;

    /**
     * One task's hand on the state.
     *
     * @param keptMillis how long a delete is kept after its issue, and up to {@value #PRUNE_MILLIS} ms more
     */
    public ControlState(long keptMillis) {
        this.keptMillis = keptMillis;
    }

    public static MapStateDescriptor<String, StateCell<ControlCommand>> descriptor() {
        return new MapStateDescriptor<>(NAME, StringSerializer.INSTANCE, StateCell.serializer());
    }

    /** Keeps a delete. */
    public void keep(ControlCommand delete, BroadcastState<String, StateCell<ControlCommand>> state, long nowMillis)
            throws Exception {
        state.put(delete.commandId(), StateCell.of(delete, CODEC));
        if (nowMillis < prunedAt || nowMillis >= prunedAt + PRUNE_MILLIS) {
            prunedAt = nowMillis;
            prune(state, nowMillis - keptMillis);
        }
    }

    private static void prune(BroadcastState<String, StateCell<ControlCommand>> state, long issuedSince)
            throws Exception {
        List<String> past = new ArrayList<>();
        for (Map.Entry<String, StateCell<ControlCommand>> entry : state.immutableEntries()) {
            if (entry.getValue().get(CODEC).issuedAt() < issuedSince) {
                past.add(entry.getKey());
            }
        }
        for (String commandId : past) {
            state.remove(commandId);
        }
    }

    /** The kept deletes that concern a lane, in the order of their issue. */
    public static List<ControlCommand> deletesOf(
            LaneId lane, ReadOnlyBroadcastState<String, StateCell<ControlCommand>> state) throws Exception {
        List<ControlCommand> deletes = new ArrayList<>();
        for (Map.Entry<String, StateCell<ControlCommand>> entry : state.immutableEntries()) {
            if (entry.getValue().get(CODEC).concerns(lane)) {
                deletes.add(entry.getValue().get(CODEC));
            }
        }
        deletes.sort((a, b) -> Long.compare(a.issuedAt(), b.issuedAt()));
        return deletes;
    }
}
