package io.tailrace.worker.serve;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.schemas.LaneId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * A worker's meters. Counters are per lane, so tokens/step and accepted/step are ratios of their rates over any window; what
 * a lane's following says is read when Prometheus scrapes. Safe for any number of threads.
 */
public final class WorkerMetrics implements AutoCloseable {
    /** As many as lanes are followed by default. */
    private static final int LANES_METERED_MAX = 256;
    /** No scope is called so. */
    private static final String OTHER_SCOPES = "";

    private static final String OTHER_LANES = "other";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Supplier<List<LaneState>> lanes;
    private final Map<String, LaneCounters> countersByScope = new ConcurrentHashMap<>();
    private final Timer draftTime;
    private final List<LaneGauge> laneGauges;
    /** Kept here, since a registry holds what it reads weakly. */
    private final List<Supplier<Number>> read = new ArrayList<>();

    /** What one number of a lane's state is called. */
    private record LaneGauge(MultiGauge gauge, ToDoubleFunction<LaneState> value) {}

    private record LaneCounters(
            Counter requests, Counter tokens, Counter steps, Counter drafted, Counter accepted, Counter ownSteps) {}

    /**
     * Meters of one worker.
     *
     * @param lanes what it follows, as it stands when asked
     * @param reportFailures reports given up so far
     * @param skippedRecords records of topics snapshots, control and admitted that could not be read
     */
    public WorkerMetrics(
            String worker,
            Supplier<List<LaneState>> lanes,
            Supplier<Number> reportFailures,
            Supplier<Number> skippedRecords) {
        this.lanes = lanes;
        registry.config().commonTags("worker", worker);
        this.draftTime = Timer.builder("tailrace.draft.time")
                .description("Time to grow one draft")
                .serviceLevelObjectives(objectivesMicros(2, 4, 6, 8, 10, 15, 20, 35, 50, 100, 200, 500, 1_000, 10_000))
                .register(registry);
        counter("tailrace.reports.failed", "Reports given up", reportFailures);
        counter(
                "tailrace.follow.skipped",
                "Records of snapshots, control and admitted that could not be read",
                skippedRecords);
        this.laneGauges = List.of(
                laneGauge("tailrace.snapshot.version", "Version served", LaneState::loadedVersion),
                laneGauge("tailrace.snapshot.announced.version", "Newest version seen", LaneState::announcedVersion),
                laneGauge(
                        "tailrace.snapshot.refresh.age.seconds",
                        "Since a newer version than the served one was seen; 0 if none",
                        s -> s.refreshAgeMillis() / 1e3),
                laneGauge("tailrace.snapshot.held", "1 while a pin or rollback decides", s -> s.held() ? 1 : 0),
                laneGauge("tailrace.snapshot.loads", "Loads since start", LaneState::loads),
                laneGauge("tailrace.snapshot.load.failures", "Failed loads since start", LaneState::failures),
                laneGauge("tailrace.freshness.samples", "Generations measured", LaneState::freshnessSamples),
                laneGauge("tailrace.freshness.p50.seconds", "Freshness, median", s -> seconds(s.freshnessP50Millis())),
                laneGauge("tailrace.freshness.p99.seconds", "Freshness, 99 %", s -> seconds(s.freshnessP99Millis())),
                laneGauge(
                        "tailrace.heard.samples",
                        "Other workers' answers drafted from before a snapshot had them",
                        LaneState::heardSamples),
                laneGauge(
                        "tailrace.heard.p50.seconds",
                        "From their completion until then, median",
                        s -> seconds(s.heardP50Millis())),
                laneGauge("tailrace.heard.p99.seconds", "The same, 99 %", s -> seconds(s.heardP99Millis())),
                laneGauge("tailrace.fresh.tokens", "Tokens not in a snapshot yet", LaneState::freshTokens),
                laneGauge(
                        "tailrace.fresh.given.up.tokens",
                        "Tokens no longer drafted from before a snapshot had them, for want of room; since start",
                        LaneState::freshTokensGivenUp));
        Gauge.builder("tailrace.lanes", lanes, all -> all.get().size())
                .description("Lanes followed")
                .register(registry);
    }

    /** One draft took so long. */
    public void drafted(long nanos) {
        draftTime.record(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * A request was served to its end.
     *
     * @param ownContext the same request decoded from its own context only, or null if that was not measured
     */
    public void served(LaneId lane, DecodeResult decoded, DecodeTally ownContext) {
        LaneCounters counters = counters(lane);
        DecodeTally tally = decoded.tally();
        counters.requests.increment();
        counters.tokens.increment(decoded.output().length);
        counters.steps.increment(tally.steps());
        counters.drafted.increment(tally.drafted());
        counters.accepted.increment(tally.accepted());
        if (ownContext != null) {
            counters.ownSteps.increment(ownContext.steps());
        }
    }

    /** Everything, in Prometheus' text format. One at a time: rows of a gauge are exchanged, which two must not do at once. */
    public synchronized String scrape() {
        List<LaneState> states = lanes.get();
        for (LaneGauge gauge : laneGauges) {
            gauge.gauge.register(
                    states.stream()
                            .map(s -> Row.of(Tags.of("lane", s.lane().toString()), gauge.value.applyAsDouble(s)))
                            .toList(),
                    true);
        }
        return registry.scrape();
    }

    /** For meters of others in the same process. */
    public MeterRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        registry.close();
    }

    /** Scopes beyond the limit of lanes share their counters: each name would be a meter for ever. */
    private LaneCounters counters(LaneId lane) {
        String scope = lane.scope();
        boolean known = countersByScope.containsKey(scope) || countersByScope.size() < LANES_METERED_MAX;
        return known
                ? countersByScope.computeIfAbsent(scope, each -> counters(Tags.of("lane", lane.toString())))
                : countersByScope.computeIfAbsent(OTHER_SCOPES, each -> counters(Tags.of("lane", OTHER_LANES)));
    }

    private LaneCounters counters(Tags lane) {
        return new LaneCounters(
                laneCounter("tailrace.requests", "Requests served", lane),
                laneCounter("tailrace.response.tokens", "Tokens produced", lane),
                laneCounter("tailrace.steps", "Verifications", lane),
                laneCounter("tailrace.draft.tokens.verified", "Draft tokens verified", lane),
                laneCounter("tailrace.draft.tokens.accepted", "Draft tokens accepted", lane),
                laneCounter("tailrace.own.context.steps", "Steps from own context only, where measured", lane));
    }

    private Counter laneCounter(String name, String description, Tags lane) {
        return Counter.builder(name).description(description).tags(lane).register(registry);
    }

    private void counter(String name, String description, Supplier<Number> value) {
        read.add(value);
        FunctionCounter.builder(name, value, v -> v.get().doubleValue())
                .description(description)
                .register(registry);
    }

    private LaneGauge laneGauge(String name, String description, ToDoubleFunction<LaneState> value) {
        return new LaneGauge(MultiGauge.builder(name).description(description).register(registry), value);
    }

    private static double seconds(long millis) {
        return millis < 0 ? Double.NaN : millis / 1e3;
    }

    private static Duration[] objectivesMicros(long... micros) {
        Duration[] objectives = new Duration[micros.length];
        for (int i = 0; i < micros.length; i++) {
            objectives[i] = Duration.ofNanos(micros[i] * 1_000);
        }
        return objectives;
    }
}
