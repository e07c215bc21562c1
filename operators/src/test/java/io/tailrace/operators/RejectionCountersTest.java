package io.tailrace.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.RejectionReason;
import java.util.EnumSet;
import java.util.Set;
import org.apache.flink.metrics.testutils.MetricListener;
import org.junit.jupiter.api.Test;

final class RejectionCountersTest {
    private final MetricListener metrics = new MetricListener();

    private long count(RejectionReason reason) {
        return metrics.getCounter(MetricNames.REASON, reason.name(), MetricNames.REJECTED)
                .orElseThrow()
                .getCount();
    }

    /** A rate over a counter that comes into being with 1 never shows the first. */
    @Test
    void everyReasonIsCountedFromZero() {
        Set<RejectionReason> reasons = EnumSet.of(RejectionReason.UNDECODABLE, RejectionReason.EMPTY_RESPONSE);
        RejectionCounters counters = new RejectionCounters(metrics.getMetricGroup(), reasons);
        assertThat(reasons).allSatisfy(reason -> assertThat(count(reason)).isZero());
        counters.count(RejectionReason.EMPTY_RESPONSE);
        assertThat(count(RejectionReason.EMPTY_RESPONSE)).isEqualTo(1);
        assertThat(count(RejectionReason.UNDECODABLE)).isZero();
        assertThat(metrics.getCounter(MetricNames.REJECTED).orElseThrow().getCount())
                .isEqualTo(1);
    }
}
