package io.tailrace.operators.indexing;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Tombstone;
import io.tailrace.operators.control.Tombstones;
import io.tailrace.schemas.LaneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.metrics.MetricGroup;

/** A shard in the memory of its task: its brain, the deletes that concern it, its metrics, and whether its timer is set. */
final class Shard {
    private final String lane;
    private final int number;
    private final LaneId laneId;
    private final ShardIndex index;
    private final ShardMetrics metrics;
    private final List<Tombstone> deletes = new ArrayList<>();
    private Tombstones tombstones = new Tombstones(List.of());
    private boolean timerSet;

    /** The shard of a key, see {@link io.tailrace.operators.admission.AdmittedGeneration#shardKey}. */
    Shard(String key, IndexingOptions options, MetricGroup metricGroup) {
        int hash = key.lastIndexOf('#');
        lane = key.substring(0, hash);
        number = Integer.parseInt(key.substring(hash + 1));
        laneId = LaneId.parse(lane);
        index = new ShardIndex(lane, number, options);
        metrics = new ShardMetrics(metricGroup, index, lane, number);
    }

    void addDeletes(List<ControlCommand> commands) {
        commands.forEach(command -> deletes.add(Tombstone.of(command, deletes.size() + 1, command.issuedAt())));
        tombstones = new Tombstones(deletes);
    }

    /** True if a timer must be set now, for none is. */
    boolean claimTimer() {
        boolean claimed = !timerSet;
        timerSet = true;
        return claimed;
    }

    void timerFired() {
        timerSet = false;
    }

    String lane() {
        return lane;
    }

    int number() {
        return number;
    }

    LaneId laneId() {
        return laneId;
    }

    ShardIndex index() {
        return index;
    }

    ShardMetrics metrics() {
        return metrics;
    }

    Tombstones tombstones() {
        return tombstones;
    }
}
