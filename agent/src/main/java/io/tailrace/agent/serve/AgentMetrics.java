package io.tailrace.agent.serve;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tailrace.agent.engine.EngineSteps;
import io.tailrace.agent.protocol.EndReason;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.schemas.LaneId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** An agent's meters. Counters are by lane, so tokens/step is a ratio of their rates over any window. Safe for any number of threads. */
final class AgentMetrics implements AutoCloseable {
    private static final int LANES_METERED_MAX = 256;
    private static final String OTHER_LANES = "other";
    private static final long[] OBJECTIVES_MICROS = {10, 20, 30, 50, 80, 120, 200, 500, 1_000, 2_000, 10_000};

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, LaneCounters> countersByLane = new ConcurrentHashMap<>();
    private final Timer draftTime;
    private final Counter drafts;
    private final List<LaneGauge> laneGauges = new ArrayList<>();
    /** Kept here, since a registry holds what it reads weakly. */
    private final List<Supplier<Number>> read = new ArrayList<>();

    private record LaneGauge(MultiGauge gauge, ToDoubleFunction<LaneState> value) {}

    private record LaneCounters(Counter tokens, Counter steps, Counter drafted, Counter accepted) {}

    AgentMetrics(String agent) {
        registry.config().commonTags("worker", agent);
        Duration[] objectives = new Duration[OBJECTIVES_MICROS.length];
        for (int i = 0; i < objectives.length; i++) {
            objectives[i] = Duration.ofNanos(1_000 * OBJECTIVES_MICROS[i]);
        }
        draftTime = Timer.builder("tailrace.engine.step.draft.time")
                .description("Time to draft for one step of an engine, all its requests together")
                .serviceLevelObjectives(objectives)
                .register(registry);
        drafts = Counter.builder("tailrace.engine.drafts")
                .description("Drafts that engines asked for")
                .register(registry);
        laneGauge("tailrace.snapshot.version", "Version served", LaneState::loadedVersion);
        laneGauge("tailrace.snapshot.announced.version", "Newest version seen", LaneState::announcedVersion);
        laneGauge("tailrace.snapshot.load.failures", "Failed loads since start", LaneState::failures);
        laneGauge("tailrace.fresh.tokens", "Tokens not in a snapshot yet", LaneState::freshTokens);
        laneGauge(
                "tailrace.heard.p50.seconds",
                "From others' completions until they are drafted from, median",
                state -> state.heardP50Millis() < 0 ? Double.NaN : state.heardP50Millis() / 1e3);
    }

    /** A step was drafted for so many requests. */
    void drafted(int requests, long nanos) {
        drafts.increment(requests);
        draftTime.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** A request has ended. */
    void served(EngineSteps.Ended request) {
        ServedRequest served = request.served();
        DecodeTally tally = served.decoded().tally();
        String lane = request.shared() ? LaneId.of(served.lane()).toString() : OTHER_LANES;
        LaneCounters counters = counters(lane);
        ended(request.reason());
        counters.tokens.increment(served.decoded().output().length);
        counters.steps.increment(tally.steps());
        counters.drafted.increment(tally.drafted());
        counters.accepted.increment(tally.accepted());
    }

    void gauge(String name, String description, Supplier<Number> value) {
        read.add(value);
        Gauge.builder(name, value, each -> each.get().doubleValue())
                .description(description)
                .register(registry);
    }

    void counter(String name, String description, Supplier<Number> value) {
        read.add(value);
        FunctionCounter.builder(name, value, each -> each.get().doubleValue())
                .description(description)
                .register(registry);
    }

    /** Everything, in Prometheus' text format. One at a time: rows of a gauge are exchanged, which two must not do at once. */
    synchronized String scrape(List<LaneState> lanes) {
        for (LaneGauge gauge : laneGauges) {
            gauge.gauge.register(
                    lanes.stream()
                            .map(s -> Row.of(Tags.of("lane", s.lane().toString()), gauge.value.applyAsDouble(s)))
                            .toList(),
                    true);
        }
        return registry.scrape();
    }

    private void ended(EndReason reason) {
        Counter.builder("tailrace.requests")
                .description("Requests that ended")
                .tags(Tags.of("reason", reason.name().toLowerCase(Locale.ROOT)))
                .register(registry)
                .increment();
    }

    /** Scopes beyond the limit share their counters: each name would be a meter for ever. */
    private LaneCounters counters(String lane) {
        boolean room = countersByLane.containsKey(lane) || countersByLane.size() < LANES_METERED_MAX;
        return countersByLane.computeIfAbsent(room ? lane : OTHER_LANES, this::newCounters);
    }

    private LaneCounters newCounters(String lane) {
        return new LaneCounters(
                counter("tailrace.response.tokens", "Tokens produced", lane),
                counter("tailrace.steps", "Verifications", lane),
                counter("tailrace.draft.tokens.verified", "Draft tokens verified", lane),
                counter("tailrace.draft.tokens.accepted", "Draft tokens accepted", lane));
    }

    private Counter counter(String name, String description, String lane) {
        return Counter.builder(name)
                .description(description)
                .tags(Tags.of("lane", lane))
                .register(registry);
    }

    private void laneGauge(String name, String description, ToDoubleFunction<LaneState> value) {
        laneGauges.add(
                new LaneGauge(MultiGauge.builder(name).description(description).register(registry), value));
    }

    @Override
    public void close() {
        registry.close();
    }
}
