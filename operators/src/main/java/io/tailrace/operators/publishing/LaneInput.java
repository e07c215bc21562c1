package io.tailrace.operators.publishing;

import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.outcomes.OutcomeTotals;

/**
 * What a lane's publisher hears: a shard's progress or the lane's outcomes, one of the two.
 *
 * @param progress null where outcomes are there
 * @param outcomes sums since the job's state began; null where progress is there
 */
public record LaneInput(String lane, ShardProgress progress, OutcomeTotals outcomes) {
    public static LaneInput of(ShardProgress progress) {
        return new LaneInput(progress.lane(), progress, null);
    }

    public static LaneInput of(LaneOutcome outcome) {
        return new LaneInput(outcome.lane(), null, outcome.totals());
    }
}
