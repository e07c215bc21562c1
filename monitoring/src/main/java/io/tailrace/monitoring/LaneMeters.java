package io.tailrace.monitoring;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.schemas.LaneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Meters by lane of a process that follows lanes and drafts from them. Counters are by lane, so tokens/step is a ratio of their rates over any
 * window; what following says is read when Prometheus scrapes. They show numbers and lane names, and no token. Safe for any number of threads.
 */
public final class LaneMeters {
    /** As many as lanes are followed by default. */
    private static final int LANES_METERED_MAX = 256;

    private static final String OTHER_LANES = "other";

    private final Meters meters;
    private final Supplier<List<LaneState>> lanes;
    private final Set<String> metered = ConcurrentHashMap.newKeySet();
    private final List<LaneGauge> gauges = new ArrayList<>();

    /** What one number of a lane's state is called. */
    private record LaneGauge(MultiGauge gauge, ToDoubleFunction<LaneState> value) {}

    /**
     * Adds them to a process' meters.
     *
     * @param lanes what it follows, as it stands when asked
     * @param skippedRecords records of topics snapshots, control and admitted that could not be read
     */
    public LaneMeters(Meters meters, Supplier<List<LaneState>> lanes, Supplier<Number> skippedRecords) {
        this.meters = meters;
        this.lanes = lanes;
        meters.counter(
                "tailrace.follow.skipped",
                "Records of snapshots, control and admitted that could not be read",
                skippedRecords);
        meters.gauge("tailrace.lanes", "Lanes followed", () -> lanes.get().size());
        laneGauge("tailrace.snapshot.version", "Version served", LaneState::loadedVersion);
        laneGauge("tailrace.snapshot.announced.version", "Newest version seen", LaneState::announcedVersion);
        laneGauge(
                "tailrace.snapshot.refresh.age.seconds",
                "Since a newer version than the served one was seen; 0 if none",
                s -> s.refreshAgeMillis() / 1e3);
        laneGauge("tailrace.snapshot.held", "1 while a pin or rollback decides", s -> s.held() ? 1 : 0);
        laneGauge("tailrace.snapshot.loads", "Loads since start", LaneState::loads);
        laneGauge("tailrace.snapshot.load.failures", "Failed loads since start", LaneState::failures);
        laneGauge("tailrace.freshness.samples", "Generations measured", LaneState::freshnessSamples);
        laneGauge("tailrace.freshness.p50.seconds", "Freshness, median", s -> seconds(s.freshnessP50Millis()));
        laneGauge("tailrace.freshness.p99.seconds", "Freshness, 99 %", s -> seconds(s.freshnessP99Millis()));
        laneGauge(
                "tailrace.heard.samples",
                "Other workers' answers drafted from before a snapshot had them",
                LaneState::heardSamples);
        laneGauge(
                "tailrace.heard.p50.seconds",
                "From their completion until then, median",
                s -> seconds(s.heardP50Millis()));
        laneGauge("tailrace.heard.p99.seconds", "The same, 99 %", s -> seconds(s.heardP99Millis()));
        laneGauge("tailrace.fresh.tokens", "Tokens not in a snapshot yet", LaneState::freshTokens);
        laneGauge(
                "tailrace.fresh.given.up.tokens",
                "Tokens no longer drafted from before a snapshot had them, for want of room; since start",
                LaneState::freshTokensGivenUp);
    }

    private void laneGauge(String name, String description, ToDoubleFunction<LaneState> value) {
        gauges.add(
                new LaneGauge(MultiGauge.builder(name).description(description).register(meters.registry()), value));
    }

    /** A request was answered with so many tokens. */
    public void served(LaneId lane, int tokens, DecodeTally tally) {
        served(label(lane), tokens, tally);
    }

    /** The same, of a request that has no scope. */
    public void servedUnshared(int tokens, DecodeTally tally) {
        served(OTHER_LANES, tokens, tally);
    }

    private void served(String lane, int tokens, DecodeTally tally) {
        laneCounter("tailrace.response.tokens", "Tokens produced", lane, tokens);
        laneCounter("tailrace.steps", "Verifications", lane, tally.steps());
        laneCounter("tailrace.draft.tokens.verified", "Draft tokens verified", lane, tally.drafted());
        laneCounter("tailrace.draft.tokens.accepted", "Draft tokens accepted", lane, tally.accepted());
    }

    /** Counts so many of something in a lane. */
    public void count(String name, String description, LaneId lane, long more) {
        laneCounter(name, description, label(lane), more);
    }

    private void laneCounter(String name, String description, String lane, long more) {
        meters.counter(name, description, "lane", lane).increment((double) more);
    }

    /** Lanes beyond the limit share their counters: each name would be a meter for ever. */
    private String label(LaneId lane) {
        String name = lane.toString();
        if (!metered.contains(name) && metered.size() < LANES_METERED_MAX) {
            metered.add(name);
        }
        return metered.contains(name) ? name : OTHER_LANES;
    }

    /** All meters, in Prometheus' text format. One at a time: rows of a gauge are exchanged, which two must not do at once. */
    public synchronized String scrape() {
        List<LaneState> states = lanes.get();
        for (LaneGauge gauge : gauges) {
            gauge.gauge.register(
                    states.stream()
                            .map(s -> Row.of(Tags.of("lane", s.lane().toString()), gauge.value.applyAsDouble(s)))
                            .toList(),
                    true);
        }
        return meters.scrape();
    }

    private static double seconds(long millis) {
        return millis < 0 ? Double.NaN : millis / 1e3;
    }
}
