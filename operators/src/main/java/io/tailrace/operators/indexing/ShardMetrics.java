package io.tailrace.operators.indexing;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.RejectionCounters;
import io.tailrace.schemas.RejectionReason;
import java.util.Set;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** What one shard shows: since this attempt of the task, while its checkpointed counters go on. */
final class ShardMetrics {
    private final Counter admitted;
    private final Counter duplicate;
    private final Counter indexedTokens;
    private final Counter flushes;
    private final Counter storeFailures;
    private final RejectionCounters rejected;

    ShardMetrics(MetricGroup parent, ShardIndex index, String lane, int shard) {
        MetricGroup group =
                parent.addGroup(MetricNames.LANE, lane).addGroup(MetricNames.SHARD, Integer.toString(shard));
        admitted = group.counter(MetricNames.ADMITTED);
        duplicate = group.counter(MetricNames.DUPLICATE);
        indexedTokens = group.counter(MetricNames.INDEXED_TOKENS);
        flushes = group.counter(MetricNames.FLUSHES);
        storeFailures = group.counter(MetricNames.STORE_FAILURES);
        rejected = new RejectionCounters(group, Set.of(RejectionReason.QUOTA_EXCEEDED));
        Gauge<Long> memtableTokens = index::memtableTokens;
        group.gauge(MetricNames.MEMTABLE_TOKENS, memtableTokens);
    }

    void count(ShardIndex.Fate fate) {
        switch (fate) {
            case GATHERED, DELETED -> admitted.inc();
            case DUPLICATE -> duplicate.inc();
            case OVER_QUOTA -> rejected.count(RejectionReason.QUOTA_EXCEEDED);
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
