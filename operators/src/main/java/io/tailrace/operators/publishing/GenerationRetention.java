package io.tailrace.operators.publishing;

import io.tailrace.operators.control.Tombstones;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.suffix.segment.Retention;

/**
 * Which generations a lane keeps. Age, the token budget and deletes are promises, to users and to memory: what they take goes at once.
 * Half-life is a judgement of worth, and so is what goes when a lane nears its budget: where something is evaluated, these are
 * judged first, see {@link RetentionChanges}.
 */
final class GenerationRetention {
    /** A lane over its budget is trimmed to this share of it, so that trimming pays. */
    private static final double TRIMMED_SHARE = 0.9;
    /** From this share of its budget on a lane is trimmed if that is judged no worse; the rest is the time that judging takes. */
    private static final double JUDGED_SHARE = 0.95;
    /** Half-lives are applied this often within one, ... */
    private static final int AGINGS_PER_HALF_LIFE = 4;
    /** ... and within the time that generations live. */
    private static final int AGINGS_PER_AGE = 8;

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

    /**
     * Drops segments that are past their time or the budget as a whole; what needs a rewrite is left to plans.
     *
     * @return tokens that went for the budget, unjudged
     */
    long expire(long nowMillis) {
        long before = layout.liveTokens();
        long completedAfter = nowMillis - options.generationAgeMillisMax();
        state.older.removeIf(segment -> segment.stored().newestCompletedAt() < completedAfter);
        if (state.newest != null && state.newest.stored().newestCompletedAt() < completedAfter) {
            state.newest = null;
        }
        long beyond = dropBeyondBudget();
        long expired = before - layout.liveTokens();
        if (expired > 0) {
            state.tokensExpired += expired;
            cadence.makeDue(AnnouncementCause.CADENCE);
        }
        return beyond;
    }

    private long dropBeyondBudget() {
        long excess = excessTokens();
        long dropped = 0;
        while (!state.older.isEmpty() && state.older.get(0).liveTokens() <= excess - dropped) {
            dropped += state.older.remove(0).liveTokens();
        }
        return dropped;
    }

    /** Tokens to lose at once; 0 while the lane is within its budget. */
    long excessTokens() {
        return layout.liveTokens() <= options.laneTokensMax() ? 0 : tokensToTrim();
    }

    /** Tokens to lose if that is judged no worse; 0 while the lane is well within its budget. */
    long judgedExcessTokens() {
        return layout.liveTokens() <= JUDGED_SHARE * options.laneTokensMax() ? 0 : tokensToTrim();
    }

    private long tokensToTrim() {
        return layout.liveTokens() - (long) (TRIMMED_SHARE * options.laneTokensMax());
    }

    /**
     * True if a segment's generations have aged so long since half-lives were last applied to it that it pays again. After a drift alarm
     * a quarter of that is enough for a segment from before it, so that most are due at the alarm itself and the others within hours: what the
     * traffic may have left behind does not wait for its turn.
     */
    boolean agesAgain(LiveSegment segment, long nowMillis) {
        if (options.halfLifeMillis() <= 0) {
            return false;
        }
        long pace = Math.min(
                options.halfLifeMillis() / AGINGS_PER_HALF_LIFE, options.generationAgeMillisMax() / AGINGS_PER_AGE);
        GenerationAging aging = aging(nowMillis);
        long begunAt = Math.min(segment.begunAt(), segment.agesFrom());
        return aging.agedSince(begunAt, segment.agesFrom()) > pace / aging.haste(begunAt);
    }

    /** What every merge keeps. */
    Retention required(long nowMillis, long liveTokensMax) {
        return new Retention(
                nowMillis - options.generationAgeMillisMax(), liveTokensMax, new Tombstones(state.tombstones));
    }

    /** What is left when half-lives are applied. */
    Retention aged(long nowMillis) {
        return new Retention(
                nowMillis - options.generationAgeMillisMax(),
                Long.MAX_VALUE,
                new Tombstones(state.tombstones),
                aging(nowMillis));
    }

    private GenerationAging aging(long nowMillis) {
        return new GenerationAging(options.halfLifeMillis(), state.alarms, nowMillis);
    }
}
