package io.tailrace.operators.publishing;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.schemas.LaneId;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.flink.metrics.MetricGroup;

/**
 * What a task holds of a lane beside its state: work in flight, results that wait for the next tick, and when to do what
 * again. Lost in a failure, and not missed. Only the queue is touched by side threads.
 */
final class LaneWork {
    private static final long PAUSE_MILLIS_MAX = 30_000;
    /** After a fold the next waits so many times as long as that one took, ... */
    private static final long REST_TIMES = 4;
    /** ... but no longer than this: how fresh the lane is matters more. */
    private static final long REST_MILLIS_MAX = 4_000;

    final LaneId laneId;
    final LaneMetrics metrics;
    final LaneFiles files;
    /** The fleet no longer serves the lane's model: it is not announced, and what it has stays until it is past its age. */
    final boolean retired;

    final Queue<MergePlan.Outcome> results = new ConcurrentLinkedQueue<>();

    final FoldTiming timing;
    private final WaitingRoom.Share waiting;
    private Future<?> fold;
    private Throwable foldFailure;
    /** Under load folds are made seldom and large: each rewrites the newest segment. */
    long foldNotBefore = Long.MIN_VALUE;

    boolean olderInFlight;
    /** False once a tick has found nothing to do and nothing has come in since. */
    boolean awake = true;

    long nextTickAt = Long.MIN_VALUE;
    /** Something that waits is to begin then, not at the next tick only. */
    long wakeAt = Long.MAX_VALUE;

    long nextMaintenanceAt = Long.MIN_VALUE;
    long accountedAt = Long.MIN_VALUE;
    Map<String, Long> accounted = Map.of();
    private long pausedUntil = Long.MIN_VALUE;
    private long seenAt = Long.MIN_VALUE;
    private int failuresInARow;

    LaneWork(
            String lane,
            PublishingOptions options,
            ModelCatalog models,
            CheckpointRhythm rhythm,
            WaitingRoom room,
            MetricGroup metricGroup) {
        laneId = LaneId.parse(lane);
        retired = !models.serves(laneId);
        metrics = new LaneMetrics(metricGroup, lane);
        files = new LaneFiles(lane, options.sweepGraceMillis());
        timing = new FoldTiming(rhythm, options.announceMillis());
        waiting = room.share();
    }

    /** The time is this now. Where a clock was set back, nothing waits for the time that it was set back from. */
    void at(long nowMillis) {
        if (nowMillis < seenAt) {
            timing.clear();
            foldNotBefore = Long.MIN_VALUE;
            nextTickAt = Long.MIN_VALUE;
            wakeAt = Long.MAX_VALUE;
            nextMaintenanceAt = Long.MIN_VALUE;
            files.clockWasSetBack();
            accountedAt = Long.MIN_VALUE;
            pausedUntil = Long.MIN_VALUE;
            awake = true;
        }
        seenAt = nowMillis;
    }

    /**
     * True if so much waits for a fold, in this lane or in all of the process, that nothing more is to be taken in before
     * it. In a lane of a model that is not served any more nothing waits for one.
     */
    boolean isOverfull(Lane lane) {
        if (retired) {
            return false;
        }
        waiting.holds(lane.layout().bytesWaiting());
        return lane.isOverfull() || waiting.isOverfull();
    }

    /** The task ends. */
    void leave() {
        waiting.close();
    }

    boolean isInFlight() {
        return isFolding() || olderInFlight;
    }

    boolean isFolding() {
        return fold != null;
    }

    /** A plan is under way; what became of the last fold counts no more where it is one. */
    void begun(MergePlan plan, Future<?> merge) {
        if (plan.kind() == MergePlan.Kind.FOLD) {
            fold = merge;
            foldFailure = null;
            timing.clear();
        } else {
            olderInFlight = true;
        }
    }

    /** Waits until the fold under way has come to its end. */
    void awaitFold() throws InterruptedException {
        try {
            fold.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a fold ends with an outcome, whatever happens", e);
        }
    }

    void landed(MergePlan plan, long nowMillis) {
        if (plan.kind() == MergePlan.Kind.FOLD) {
            fold = null;
            timing.took(nowMillis - plan.plannedAt());
            foldNotBefore = plan.plannedAt() + Math.min(REST_MILLIS_MAX, REST_TIMES * (nowMillis - plan.plannedAt()));
        } else {
            olderInFlight = false;
        }
        files.sweepPace.soon();
    }

    /** After failures the lane rests: a second, then twice as long each time, at most half a minute. */
    void failed(MergePlan plan, Throwable failure, long nowMillis) {
        foldFailure = plan.kind() == MergePlan.Kind.FOLD ? failure : foldFailure;
        failuresInARow++;
        pausedUntil = nowMillis + Math.min(PAUSE_MILLIS_MAX, 1_000L << Math.min(failuresInARow - 1, 10));
    }

    void succeeded(MergePlan plan) {
        failuresInARow = 0;
        plan.inputs().forEach(input -> {
            files.readable(input.file().path());
            files.readable(input.sidecarFile().path());
        });
    }

    /** Why the last fold failed; empty if it did not, or another is under way. */
    Optional<Throwable> foldFailure() {
        return Optional.ofNullable(foldFailure);
    }

    /** So long what failed is not tried again. */
    long restMillis(long nowMillis) {
        return Math.max(0, pausedUntil - nowMillis);
    }

    /** What failed is tried again at once. */
    void restNoLonger() {
        pausedUntil = Long.MIN_VALUE;
    }

    boolean isPaused(long nowMillis) {
        return nowMillis < pausedUntil;
    }
}
