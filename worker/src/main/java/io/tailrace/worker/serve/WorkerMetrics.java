package io.tailrace.worker.serve;

import io.micrometer.core.instrument.Timer;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.monitoring.LaneMeters;
import io.tailrace.monitoring.Meters;
import io.tailrace.schemas.LaneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Meters of every worker, whether it serves a model or replays records. Safe for any number of threads. */
public final class WorkerMetrics implements AutoCloseable {
    private final Meters meters;
    private final LaneMeters lanes;
    private final Timer draftTime;

    /**
     * Meters of one worker.
     *
     * @param lanes what it follows, as it stands when asked
     * @param skippedRecords records of topics snapshots, control and admitted that could not be read
     * @param reporter of its reports
     * @param reportFailures reports given up so far
     */
    public WorkerMetrics(
            String worker,
            Supplier<List<LaneState>> lanes,
            Supplier<Number> skippedRecords,
            Reporter reporter,
            Supplier<Number> reportFailures) {
        this.meters = new Meters(worker);
        this.lanes = new LaneMeters(meters, lanes, skippedRecords);
        meters.reports(() -> List.of(reporter), reportFailures);
        this.draftTime = meters.timer(
                "tailrace.draft.time",
                "Time to grow one draft",
                Meters.micros(2, 4, 6, 8, 10, 15, 20, 35, 50, 100, 200, 500, 1_000, 10_000));
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
        lanes.count("tailrace.requests", "Requests served", lane, 1);
        lanes.served(lane, decoded.output().length, decoded.tally());
        lanes.count(
                "tailrace.own.context.steps",
                "Steps from own context only, where measured",
                lane,
                ownContext == null ? 0 : ownContext.steps());
    }

    /** Everything, in Prometheus' text format. */
    public String scrape() {
        return lanes.scrape();
    }

    /** For meters of others in the same process. */
    public Meters meters() {
        return meters;
    }

    @Override
    public void close() {
        meters.close();
    }
}
