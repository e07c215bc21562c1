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
 * Sends each lane's status: at most once a second when something changed, and at least every five seconds; at once after the clock was set back. One thread calls
 * {@link #tick}.
 */
final class StatusTicker {
    static final long CHANGED_MILLIS = 1_000;

    private final String worker;
    private final String workerClass;
    private final Consumer<WorkerStatus> reports;
    private final Map<LaneId, Sent> sentByLane = new HashMap<>();

    private record Sent(LaneState state, long atMillis) {}

    public StatusTicker(String worker, String workerClass, Consumer<WorkerStatus> reports) {
        this.worker = worker;
        this.workerClass = workerClass;
        this.reports = reports;
    }

    /** Looks at the lanes and sends what is due. */
    public void tick(Iterable<LaneState> states, long nowMillis) {
        for (LaneState state : states) {
            Sent last = sentByLane.get(state.lane());
            if (last == null || isDue(last, state, nowMillis)) {
                send(state, nowMillis);
            }
        }
    }

    /** Sends the status of every lane now. */
    public void sendAll(Iterable<LaneState> states, long nowMillis) {
        states.forEach(state -> send(state, nowMillis));
    }

    private static boolean isDue(Sent last, LaneState state, long nowMillis) {
        long age = nowMillis - last.atMillis;
        boolean setBack = age < 0;
        return setBack
                || age >= WorkerPresence.REPORT_MILLIS_MAX
                || (age >= CHANGED_MILLIS && changed(last.state, state));
    }

    private static boolean changed(LaneState before, LaneState now) {
        return before.loadedVersion() != now.loadedVersion()
                || before.announcedVersion() != now.announcedVersion()
                || before.loads() != now.loads()
                || before.failures() != now.failures()
                || before.held() != now.held();
    }

    private void send(LaneState state, long nowMillis) {
        sentByLane.put(state.lane(), new Sent(state, nowMillis));
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
