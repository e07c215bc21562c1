package io.tailrace.operators;

import io.tailrace.schemas.RejectionReason;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * The rejected records of one operator: in all, and by reason as a scope variable. Every reason that it may give is there from the start: a
 * rate or an alert over a counter that comes into being with its first rejection misses that one.
 */
public final class RejectionCounters {
    private final Counter all;
    private final Map<RejectionReason, Counter> byReason = new EnumMap<>(RejectionReason.class);

    /** @param reasons that this operator may give */
    public RejectionCounters(MetricGroup group, Iterable<RejectionReason> reasons) {
        this.all = group.counter(MetricNames.REJECTED);
        reasons.forEach(reason -> byReason.put(
                reason, group.addGroup(MetricNames.REASON, reason.name()).counter(MetricNames.REJECTED)));
    }

    public void count(RejectionReason reason) {
        all.inc();
        byReason.get(reason).inc();
    }
}
