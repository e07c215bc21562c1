package io.tailrace.operators.publishing;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.schemas.LaneId;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
    final StoreSweep sweep;
    /** The fleet no longer serves the lane's model: what it has stays as it is. */
    final boolean retired;

    final Queue<MergePlan.Outcome> results = new ConcurrentLinkedQueue<>();
    final FoldTiming timing;
    boolean foldInFlight;
    /** Under load folds are made seldom and large: each rewrites the newest segment. */
    long foldNotBefore = Long.MIN_VALUE;

    boolean olderInFlight;
    volatile boolean sweepInFlight;
    /** False once a tick has found nothing to do and nothing has come in since. */
    boolean awake = true;

    long nextTickAt = Long.MIN_VALUE;
    /** Something that waits is to begin then, not at the next tick only. */
    long wakeAt = Long.MAX_VALUE;

    long nextMaintenanceAt = Long.MIN_VALUE;
    long accountedAt = Long.MIN_VALUE;
    Map<String, Long> accounted = Map.of();
    private long pausedUntil = Long.MIN_VALUE;
    private int failuresInARow;

    LaneWork(
            String lane,
            PublishingOptions options,
            ModelCatalog models,
            CheckpointRhythm rhythm,
            MetricGroup metricGroup) {
        laneId = LaneId.parse(lane);
        retired = !models.serves(laneId);
        metrics = new LaneMetrics(metricGroup, lane);
        sweep = new StoreSweep(lane, options.sweepGraceMillis());
        timing = new FoldTiming(rhythm, options.announceMillis());
    }

    boolean isInFlight() {
        return foldInFlight || olderInFlight;
    }

    void landed(MergePlan plan, long nowMillis) {
        if (plan.kind() == MergePlan.Kind.FOLD) {
            foldInFlight = false;
            timing.took(nowMillis - plan.plannedAt());
            foldNotBefore = plan.plannedAt() + Math.min(REST_MILLIS_MAX, REST_TIMES * (nowMillis - plan.plannedAt()));
        } else {
            olderInFlight = false;
        }
    }

    /** After failures the lane rests: a second, then twice as long each time, at most half a minute. */
    void failed(long nowMillis) {
        failuresInARow++;
        pausedUntil = nowMillis + Math.min(PAUSE_MILLIS_MAX, 1_000L << Math.min(failuresInARow - 1, 10));
    }

    void succeeded() {
        failuresInARow = 0;
    }

    boolean isPaused(long nowMillis) {
        return nowMillis < pausedUntil;
    }
}
