package io.tailrace.operators.control;

import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.LaneId;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/**
 * At a drift alarm the lane's memtables are flushed: what is new there matters now. The alarm comes back through topic events, for drift
 * is watched behind the shards and Flink has no cycles.
 */
public final class AlarmFlush implements FlatMapFunction<LaneSignal, ControlCommand> {
    private static final long serialVersionUID = 1L;

    @Override
    public void flatMap(LaneSignal signal, Collector<ControlCommand> out) {
        if (signal.kind() == LaneSignal.Kind.ALARM && !signal.isEnd()) {
            LaneId lane = LaneId.parse(signal.lane());
            String id = "drift-" + signal.lane() + "-" + signal.at();
            out.collect(new ControlCommand(
                    id, Command.FLUSH, lane.model(), lane.revision(), lane.scope(), 0, 0, 0, "drift", signal.at()));
        }
    }
}
