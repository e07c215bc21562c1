package io.tailrace.operators.publishing;

import io.tailrace.operators.control.Tombstones;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.suffix.segment.Retention;

/** Which generations a lane keeps: by age, by half-life and by its token budget; those that deletes name never. */
final class GenerationRetention {
    /** A lane over its budget is trimmed to this share of it, so that trimming pays. */
    private static final double TRIMMED_SHARE = 0.9;

    private final LaneState state;
    private final PublishingOptions options;
    private final LaneLayout layout;
    private final AnnouncementCadence cadence;

    GenerationRetention(LaneState state, PublishingOptions options) {
        this.state = state;
        this.options = options;
        this.layout = new LaneLayout(state);
        this.cadence = new AnnouncementCadence(state, options.announceMillis());
    }

    /** Drops segments that are past their time or the budget as a whole; what needs a rewrite is left to plans. */
    void expire(long nowMillis) {
        long before = layout.liveTokens();
        long completedAfter = nowMillis - options.generationAgeMillisMax();
        state.older.removeIf(segment -> segment.stored().newestCompletedAt() < completedAfter);
        if (state.newest != null && state.newest.stored().newestCompletedAt() < completedAfter) {
            state.newest = null;
        }
        long excess = excessTokens();
        while (!state.older.isEmpty() && state.older.get(0).liveTokens() <= excess) {
            excess -= state.older.remove(0).liveTokens();
        }
        long expired = before - layout.liveTokens();
        if (expired > 0) {
            state.tokensExpired += expired;
            cadence.makeDue(AnnouncementCause.CADENCE);
        }
    }

    /** Tokens to lose; 0 while the lane is within its budget. */
    long excessTokens() {
        long live = layout.liveTokens();
        return live <= options.laneTokensMax() ? 0 : live - (long) (TRIMMED_SHARE * options.laneTokensMax());
    }

    /** What a merge keeps. */
    Retention of(long nowMillis, long liveTokensMax) {
        return new Retention(
                nowMillis - options.generationAgeMillisMax(),
                liveTokensMax,
                new Tombstones(state.tombstones),
                new GenerationAging(options.halfLifeMillis(), state.alarms, nowMillis));
    }
}
