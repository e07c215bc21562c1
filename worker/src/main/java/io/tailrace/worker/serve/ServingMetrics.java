package io.tailrace.worker.serve;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.monitoring.Meters;
import io.tailrace.schemas.LaneId;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.RefusedRequestException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Meters of serving, beside those that every worker has. */
final class ServingMetrics {
    private static final DecodeTally OWN_CONTEXT_NOT_MEASURED = null;

    private final WorkerMetrics common;
    private final Meters meters;
    private final Timer firstToken;
    private final Timer outputToken;
    private final Timer step;
    private final DistributionSummary batch;
    private final Counter cancelled;
    private final Counter unshared;
    private final Counter lateEvents;
    private final Map<RefusedRequestException.Reason, Counter> refused =
            new EnumMap<>(RefusedRequestException.Reason.class);

    ServingMetrics(WorkerMetrics common) {
        this.common = common;
        this.meters = common.meters();
        this.firstToken = timer("tailrace.first.token.time", "From submission to the first token", 1, 10_000);
        this.outputToken = timer("tailrace.output.token.time", "Time of an output token after the first", 0.1, 1_000);
        this.step = timer("tailrace.step.time", "Time of a step, drafting not included", 0.1, 1_000);
        this.batch = DistributionSummary.builder("tailrace.step.batch")
                .description("Requests in a step")
                .serviceLevelObjectives(1, 2, 4, 8, 16, 32, 64)
                .register(meters.registry());
        this.cancelled = meters.counter("tailrace.requests.cancelled", "Requests whose client went away");
        this.unshared = meters.counter(
                "tailrace.requests.unshared",
                "Requests of scopes beyond the worker's limit, served without what is shared");
        this.lateEvents = meters.counter(
                "tailrace.events.late", "Pieces of answers that were not there at their time, where events are spaced");
        for (RefusedRequestException.Reason reason : RefusedRequestException.Reason.values()) {
            refused.put(
                    reason,
                    meters.counter(
                            "tailrace.requests.refused",
                            "Requests that were not taken",
                            "reason",
                            reason.name().toLowerCase(Locale.ROOT)));
        }
    }

    void stepped(int requests, long nanos, long draftNanos) {
        step.record(nanos, TimeUnit.NANOSECONDS);
        batch.record(requests);
        if (draftNanos > 0) {
            common.drafted(draftNanos / requests);
        }
    }

    void served(LaneId lane, Answer answer) {
        common.served(lane, answer.decoded(), OWN_CONTEXT_NOT_MEASURED);
        firstToken.record(answer.firstTokenNanos(), TimeUnit.NANOSECONDS);
        if (answer.decoded().output().length > 1) {
            outputToken.record((long) answer.nanosPerOutputToken(), TimeUnit.NANOSECONDS);
        }
    }

    void cancelled() {
        cancelled.increment();
    }

    void unshared() {
        unshared.increment();
    }

    void eventLate() {
        lateEvents.increment();
    }

    void refused(RefusedRequestException.Reason reason) {
        refused.get(reason).increment();
    }

    void gauge(String name, String description, Supplier<Number> value) {
        meters.gauge(name, description, value);
    }

    /** Buckets of 1, 2 and 5 between the bounds. */
    private Timer timer(String name, String description, double fromMillis, double toMillis) {
        Duration[] bounds = java.util.stream.DoubleStream.iterate(fromMillis, b -> b <= toMillis, b -> b * 10)
                .flatMap(decade -> java.util.stream.DoubleStream.of(decade, 2 * decade, 5 * decade))
                .mapToObj(millis -> Duration.ofNanos(Math.round(millis * 1e6)))
                .toArray(Duration[]::new);
        return meters.timer(name, description, bounds);
    }
}
