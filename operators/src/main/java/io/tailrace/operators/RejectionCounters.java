package io.tailrace.operators;

import io.tailrace.schemas.RejectionReason;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** The rejected records of one operator: in all, and by reason as a scope variable. */
public final class RejectionCounters {
    private final MetricGroup group;
    private final Counter all;
    private final Map<RejectionReason, Counter> byReason = new EnumMap<>(RejectionReason.class);

    public RejectionCounters(MetricGroup group) {
        this.group = group;
        this.all = group.counter(MetricNames.REJECTED);
    }

    public void count(RejectionReason reason) {
        all.inc();
        byReason.computeIfAbsent(
                        reason,
                        r -> group.addGroup(MetricNames.REASON, r.name()).counter(MetricNames.REJECTED))
                .inc();
    }
}
