package io.tailrace.suffix.strategy;

import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.TargetRows;

/** A strategy that can draft what the target model itself found likely; who runs the model tells it ({@link TargetRows}). */
public interface CandidateStrategy extends Strategy {
    /** How many of the target's likeliest tokens after each token its drafters want to be told; 0: none with these settings. */
    int candidatesWanted(StrategySettings settings);

    /** What the drafters of one lane share: rows that know nothing yet. */
    TargetRows rows(StrategySettings settings);

    /**
     * A drafter of a lane.
     *
     * @param rows the lane's, made for the same settings
     */
    Drafter drafter(StrategySettings settings, TargetRows rows);

    @Override
    default Drafter drafter(StrategySettings settings) {
        return drafter(settings, rows(settings));
    }
}
