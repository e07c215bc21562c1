package io.tailrace.operators.publishing;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.admission.AdmittedGeneration;
import java.time.Instant;
import java.util.List;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/** What a lane shows of its snapshots. */
final class LaneMetrics {
    private static final int FRESHNESS_WINDOW = 4096;

    private final Counter indexedTokens;
    private final Counter merges;
    private final Counter announcements;
    private final Counter storeFailures;
    private final Counter filesLost;
    private final Counter filesMended;
    private final Histogram freshnessMillis;
    private volatile long waitingTokens;
    private volatile long liveSegments;
    private volatile long liveTokens;
    private volatile long version;
    private volatile long policyNumber;

    LaneMetrics(MetricGroup parent, String lane) {
        MetricGroup group = parent.addGroup(MetricNames.LANE, lane);
        indexedTokens = group.counter(MetricNames.INDEXED_TOKENS);
        merges = group.counter(MetricNames.MERGES);
        announcements = group.counter(MetricNames.ANNOUNCEMENTS);
        storeFailures = group.counter(MetricNames.STORE_FAILURES);
        filesLost = group.counter(MetricNames.FILES_LOST);
        filesMended = group.counter(MetricNames.FILES_MENDED);
        freshnessMillis =
                group.histogram(MetricNames.FRESHNESS_MILLIS, new DescriptiveStatisticsHistogram(FRESHNESS_WINDOW));
        Gauge<Long> waitingGauge = () -> waitingTokens;
        Gauge<Long> segmentsGauge = () -> liveSegments;
        Gauge<Long> tokensGauge = () -> liveTokens;
        Gauge<Long> versionGauge = () -> version;
        Gauge<Long> policyGauge = () -> policyNumber;
        group.gauge(MetricNames.WAITING_TOKENS, waitingGauge);
        group.gauge(MetricNames.POLICY_NUMBER, policyGauge);
        group.gauge(MetricNames.LIVE_SEGMENTS, segmentsGauge);
        group.gauge(MetricNames.LIVE_TOKENS, tokensGauge);
        group.gauge(MetricNames.SNAPSHOT_VERSION, versionGauge);
    }

    void show(Lane lane) {
        waitingTokens = lane.layout().tokensWaiting();
        liveSegments = lane.layout().liveSegments();
        liveTokens = lane.layout().liveTokens();
        version = lane.versions().last();
        policyNumber = lane.versions().policy().number();
    }

    void indexed(List<AdmittedGeneration> generations) {
        indexedTokens.inc(Layout.tokens(generations));
    }

    void countMerge() {
        merges.inc();
    }

    void countFileLost() {
        filesLost.inc();
    }

    void countFileMended() {
        filesMended.inc();
    }

    void countStoreFailure() {
        storeFailures.inc();
    }

    void announced(List<Instant> completions, long nowMillis) {
        announcements.inc();
        completions.forEach(completedAt -> freshnessMillis.update(nowMillis - completedAt.toEpochMilli()));
    }
}
