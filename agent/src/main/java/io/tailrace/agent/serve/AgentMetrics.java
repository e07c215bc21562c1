package io.tailrace.agent.serve;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.tailrace.agent.engine.DraftAnswer;
import io.tailrace.agent.engine.EngineSteps;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.monitoring.LaneMeters;
import io.tailrace.monitoring.Meters;
import io.tailrace.schemas.LaneId;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** An agent's meters. Safe for any number of threads. */
final class AgentMetrics implements AutoCloseable {
    private final Meters meters;
    private final LaneMeters lanes;
    private final Timer draftTime;
    private final Map<DraftAnswer, Counter> drafts = new EnumMap<>(DraftAnswer.class);
    private final Counter broken;
    private final Counter unused;
    private final Counter unshared;

    /**
     * Meters of an agent.
     *
     * @param clients one of each model, as they stand when asked
     * @param left reporters of models that have no client
     * @param reportsFailed reports that were given up, of all that ever were
     * @param recordsSkipped records that clients skipped, of all that ever were
     */
    AgentMetrics(
            String agent,
            Supplier<List<TailraceClient>> clients,
            Supplier<List<Reporter>> left,
            LongSupplier reportsFailed,
            LongSupplier recordsSkipped) {
        meters = new Meters(agent);
        lanes = new LaneMeters(
                meters,
                () -> clients.get().stream()
                        .flatMap(client -> client.states().stream())
                        .toList(),
                recordsSkipped::getAsLong);
        Supplier<List<Reporter>> reporters =
                () -> Stream.concat(clients.get().stream().map(TailraceClient::reporter), left.get().stream())
                        .toList();
        meters.reports(reporters, reportsFailed::getAsLong);
        draftTime = meters.timer(
                "tailrace.engine.step.draft.time",
                "Time to draft for one step of an engine, all its requests together",
                Meters.micros(10, 20, 30, 50, 80, 120, 200, 500, 1_000, 2_000, 10_000));
        for (DraftAnswer what : DraftAnswer.values()) {
            drafts.put(
                    what,
                    meters.counter(
                            "tailrace.engine.drafts",
                            "Drafts that engines asked for",
                            "came",
                            what.name().toLowerCase(Locale.ROOT)));
        }
        unused = meters.counter(
                "tailrace.engine.drafts.unused",
                "Drafts of which engines verified nothing: they came late, or there was no room");
        broken = meters.counter("tailrace.engine.steps.broken", "Steps of engines that broke the agent, by a bug");
        unshared = meters.counter(
                "tailrace.requests.unshared",
                "Requests of scopes beyond the agent's limit, served without what is shared");
    }

    /** What is read of engines that come and go. */
    void engines(Supplier<Number> connected) {
        meters.gauge("tailrace.engines", "Engines connected", connected);
    }

    /** What came of a request that asked for a draft. */
    void came(DraftAnswer what) {
        drafts.get(what).increment();
    }

    /** A step was drafted for. */
    void drafted(long nanos) {
        draftTime.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** A draft of which nothing was verified. */
    void unused() {
        unused.increment();
    }

    /** A step broke. */
    void broke() {
        broken.increment();
    }

    /** A request of a scope beyond the limit has ended. */
    void unshared() {
        unshared.increment();
    }

    /** A request has ended. */
    void served(EngineSteps.Ended request) {
        String reason = request.reason().name().toLowerCase(Locale.ROOT);
        meters.counter("tailrace.requests", "Requests that ended", "reason", reason)
                .increment();
        ServedRequest served = request.served();
        int tokens = served.decoded().output().length;
        DecodeTally tally = served.decoded().tally();
        if (request.shared()) {
            lanes.served(LaneId.of(served.lane()), tokens, tally);
        } else {
            lanes.servedUnshared(tokens, tally);
        }
    }

    /** Everything, in Prometheus' text format. */
    String scrape() {
        return lanes.scrape();
    }

    @Override
    public void close() {
        meters.close();
    }
}
