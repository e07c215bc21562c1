package io.tailrace.operators.intake;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.RejectionCounters;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Tombstone;
import io.tailrace.operators.control.Tombstones;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RejectionReason;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** A shard in the memory of its task: its rules, the deletes that concern it, and its metrics. */
final class Shard {
    private final String lane;
    private final int number;
    private final LaneId laneId;
    private final ShardRules rules;
    private final Metrics metrics;
    /** By the id of their command. */
    private final Map<String, Tombstone> deletes = new HashMap<>();

    /** The same, the first issued first. */
    private final Queue<Tombstone> byIssue = new PriorityQueue<>(Comparator.comparingLong(Tombstone::issuedAt));

    private Tombstones tombstones = new Tombstones(List.of());
    /** So many deletes are among the tombstones that are not remembered any more. */
    private int past;

    /** The shard of a key, see {@link io.tailrace.operators.admission.AdmittedGeneration#shardKey}. */
    Shard(String key, IntakeOptions options, MetricGroup metricGroup) {
        int hash = key.lastIndexOf('#');
        lane = key.substring(0, hash);
        number = Integer.parseInt(key.substring(hash + 1));
        laneId = LaneId.parse(lane);
        rules = new ShardRules(lane, number, options);
        metrics = new Metrics(metricGroup, lane, number);
    }

    /**
     * Takes deletes up, each once. Those go that cover nothing any more; they are left among the tombstones until they are
     * half of them.
     *
     * @param issuedSince what deletes of before it cover comes no more, epoch milliseconds
     */
    void addDeletes(List<ControlCommand> commands, long issuedSince) {
        for (ControlCommand command : commands) {
            Tombstone delete = Tombstone.of(command, deletes.size() + 1, command.issuedAt());
            if (delete.issuedAt() >= issuedSince && deletes.putIfAbsent(command.commandId(), delete) == null) {
                byIssue.add(delete);
                tombstones.add(delete);
            }
        }
        while (!byIssue.isEmpty() && byIssue.peek().issuedAt() < issuedSince) {
            deletes.remove(byIssue.remove().commandId());
            past++;
        }
        if (past > deletes.size()) {
            tombstones = new Tombstones(deletes.values());
            past = 0;
        }
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

    ShardRules rules() {
        return rules;
    }

    Metrics metrics() {
        return metrics;
    }

    Tombstones tombstones() {
        return tombstones;
    }

    /** What one shard shows: since this attempt of the task, while its checkpointed counters go on. */
    static final class Metrics {
        private final Counter admitted;
        private final Counter duplicate;
        private final RejectionCounters rejected;

        Metrics(MetricGroup parent, String lane, int shard) {
            MetricGroup group =
                    parent.addGroup(MetricNames.LANE, lane).addGroup(MetricNames.SHARD, Integer.toString(shard));
            admitted = group.counter(MetricNames.ADMITTED);
            duplicate = group.counter(MetricNames.DUPLICATE);
            rejected = new RejectionCounters(
                    group, Set.of(RejectionReason.QUOTA_EXCEEDED, RejectionReason.PRODUCER_QUOTA_EXCEEDED));
        }

        void count(ShardRules.Fate fate) {
            switch (fate) {
                case TAKEN, DELETED -> admitted.inc();
                case DUPLICATE -> duplicate.inc();
                case OVER_QUOTA -> rejected.count(RejectionReason.QUOTA_EXCEEDED);
                case OVER_PRODUCER_QUOTA -> rejected.count(RejectionReason.PRODUCER_QUOTA_EXCEEDED);
            }
        }
    }
}
