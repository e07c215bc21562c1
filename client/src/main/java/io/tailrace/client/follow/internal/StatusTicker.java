package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.LaneState;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.WorkerPresence;
import io.tailrace.schemas.WorkerStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sends each lane's status: at most once a second when something changed, and at least every five seconds; at once after the clock was set back. For one
 * thread.
 */
final class StatusTicker {
    static final long CHANGED_MILLIS = 1_000;

    private final String worker;
    private final String workerClass;
    private final Consumer<WorkerStatus> reports;
    private final Map<LaneId, Sent> sentByLane = new HashMap<>();

    private record Sent(ServedLane.Standing standing, long atMillis) {}

    public StatusTicker(String worker, String workerClass, Consumer<WorkerStatus> reports) {
        this.worker = worker;
        this.workerClass = workerClass;
        this.reports = reports;
    }

    /** Looks at a lane and sends its status if it is due. */
    public void tick(ServedLane lane, long nowMillis) {
        Sent last = sentByLane.get(lane.lane());
        if (last == null || isDue(last, lane.standing(), nowMillis)) {
            send(lane, nowMillis);
        }
    }

    private static boolean isDue(Sent last, ServedLane.Standing standing, long nowMillis) {
        long age = nowMillis - last.atMillis;
        boolean setBack = age < 0;
        return setBack
                || age >= WorkerPresence.REPORT_MILLIS_MAX
                || (age >= CHANGED_MILLIS && !last.standing.equals(standing));
    }

    /** Sends a lane's status, due or not. */
    public void send(ServedLane lane, long nowMillis) {
        sentByLane.put(lane.lane(), new Sent(lane.standing(), nowMillis));
        LaneState state = lane.state(nowMillis);
        reports.accept(WorkerStatus.newBuilder()
                .setWorker(worker)
                .setWorkerClass(workerClass)
                .setLane(state.lane().toLane())
                .setLoadedVersion(state.loadedVersion())
                .setLoadedAt(Instant.ofEpochMilli(state.loadedAtMillis()))
                .setAnnouncedVersion(state.announcedVersion())
                .setRefreshAgeMillis(state.refreshAgeMillis())
                .setLoads(state.loads())
                .setFailures(state.failures())
                .setLastFailure(state.lastFailure())
                .setFreshnessP50Millis(state.freshnessP50Millis())
                .setFreshnessP99Millis(state.freshnessP99Millis())
                .setReportedAt(Instant.ofEpochMilli(nowMillis))
                .build());
    }
}
