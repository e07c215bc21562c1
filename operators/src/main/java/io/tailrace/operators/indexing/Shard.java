package io.tailrace.operators.indexing;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.RejectionCounters;
import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Tombstone;
import io.tailrace.operators.control.Tombstones;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RejectionReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** A shard in the memory of its task: its brain, the deletes that concern it, its metrics, and whether its timer is set. */
final class Shard {
    private final String lane;
    private final int number;
    private final LaneId laneId;
    private final ShardIndex index;
    private final Metrics metrics;
    /** By the id of their command. */
    private final Map<String, Tombstone> deletes = new HashMap<>();

    private Tombstones tombstones = new Tombstones(List.of());
    private boolean timerSet;

    /** The shard of a key, see {@link io.tailrace.operators.admission.AdmittedGeneration#shardKey}. */
    Shard(String key, IndexingOptions options, MetricGroup metricGroup) {
        int hash = key.lastIndexOf('#');
        lane = key.substring(0, hash);
        number = Integer.parseInt(key.substring(hash + 1));
        laneId = LaneId.parse(lane);
        index = new ShardIndex(lane, number, options);
        metrics = new Metrics(metricGroup, index, lane, number);
    }

    /**
     * Takes deletes up, each once. Those go that cover nothing any more.
     *
     * @param issuedSince what deletes of before it cover comes no more, epoch milliseconds; the memtable may hold some
     */
    void addDeletes(List<ControlCommand> commands, long issuedSince) {
        commands.forEach(command -> deletes.putIfAbsent(
                command.commandId(), Tombstone.of(command, deletes.size() + 1, command.issuedAt())));
        long oldest = index.memtable().stream()
                .mapToLong(AdmittedGeneration::completedAt)
                .min()
                .orElse(Long.MAX_VALUE);
        long since = Math.min(issuedSince, oldest - AdmissionOptions.Limits.FUTURE_MILLIS_MAX);
        deletes.values().removeIf(delete -> delete.issuedAt() < since);
        tombstones = new Tombstones(deletes.values());
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
        private final Counter indexedTokens;
        private final Counter flushes;
        private final Counter storeFailures;
        private final RejectionCounters rejected;

        Metrics(MetricGroup parent, ShardIndex index, String lane, int shard) {
            MetricGroup group =
                    parent.addGroup(MetricNames.LANE, lane).addGroup(MetricNames.SHARD, Integer.toString(shard));
            admitted = group.counter(MetricNames.ADMITTED);
            duplicate = group.counter(MetricNames.DUPLICATE);
            indexedTokens = group.counter(MetricNames.INDEXED_TOKENS);
            flushes = group.counter(MetricNames.FLUSHES);
            storeFailures = group.counter(MetricNames.STORE_FAILURES);
            rejected = new RejectionCounters(
                    group, Set.of(RejectionReason.QUOTA_EXCEEDED, RejectionReason.PRODUCER_QUOTA_EXCEEDED));
            Gauge<Long> memtableTokens = index::memtableTokens;
            group.gauge(MetricNames.MEMTABLE_TOKENS, memtableTokens);
        }

        void count(ShardIndex.Fate fate) {
            switch (fate) {
                case GATHERED, DELETED -> admitted.inc();
                case DUPLICATE -> duplicate.inc();
                case OVER_QUOTA -> rejected.count(RejectionReason.QUOTA_EXCEEDED);
                case OVER_PRODUCER_QUOTA -> rejected.count(RejectionReason.PRODUCER_QUOTA_EXCEEDED);
            }
        }

        void countFlush(long tokens) {
            flushes.inc();
            indexedTokens.inc(tokens);
        }

        void countStoreFailure() {
            storeFailures.inc();
        }
    }
}
