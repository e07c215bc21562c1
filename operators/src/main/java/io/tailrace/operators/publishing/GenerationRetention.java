package io.tailrace.operators.publishing;

import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Retention;
import java.util.List;
import java.util.function.Predicate;

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

    private final PublishingOptions options;
    private final Layout layout;
    private final Deletes deletes;
    private final List<Long> alarms;

    /** @param alarms when drift alarms were raised, epoch milliseconds */
    GenerationRetention(PublishingOptions options, Layout layout, Deletes deletes, List<Long> alarms) {
        this.options = options;
        this.layout = layout;
        this.deletes = deletes;
        this.alarms = alarms;
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
        Aging aging = aging(nowMillis);
        long begunAt = Math.min(segment.begunAt(), segment.agedAt());
        return aging.agedSince(begunAt, segment.agedAt()) > pace / aging.haste(begunAt);
    }

    /** What every merge keeps. */
    Retention required(long nowMillis, long liveTokensMax) {
        return new Retention(nowMillis - options.generationAgeMillisMax(), liveTokensMax, deletes.forbidden());
    }

    /** What is left when half-lives are applied. */
    Retention aged(long nowMillis) {
        return new Retention(
                nowMillis - options.generationAgeMillisMax(), Long.MAX_VALUE, deletes.forbidden(), aging(nowMillis));
    }

    private Aging aging(long nowMillis) {
        return new Aging(options.halfLifeMillis(), alarms, nowMillis);
    }

    /**
     * Which generations have expired by their half-life: of those of one age half are left after each half-life. Who goes is decided by the
     * hash of the request id, so that every merge decides alike and a rewrite drops no more than the time that passed.
     *
     * <p>After a drift alarm, what was completed before it ages {@value #FACTOR} times as fast for a day: the traffic is another.
     *
     * @param halfLifeMillis 0: nothing expires by it
     * @param alarms when alarms were raised, epoch milliseconds
     */
    record Aging(long halfLifeMillis, List<Long> alarms, long nowMillis) implements Predicate<GenerationEntry> {
        static final int FACTOR = 4;
        static final long FASTER_MILLIS = 86_400_000L;
        /** So many alarms are remembered. */
        static final int ALARMS_MAX = 16;

        Aging {
            alarms = List.copyOf(alarms);
        }

        @Override
        public boolean test(GenerationEntry entry) {
            if (halfLifeMillis <= 0) {
                return false;
            }
            double place = ((entry.requestLow() >>> 11) + 0.5) * 0x1.0p-53;
            return age(entry.completedAtMillis()) / (double) halfLifeMillis > -Math.log(place) / Math.log(2);
        }

        /** Age in milliseconds, faster time counted as often as it is faster. */
        long age(long completedAt) {
            long age = Math.max(0, nowMillis - completedAt);
            for (long alarm : alarms) {
                if (completedAt < alarm) {
                    age += (FACTOR - 1) * Math.max(0, Math.min(FASTER_MILLIS, nowMillis - alarm));
                }
            }
            return age;
        }

        /** How much what was completed at a time has aged since another, counted in the same way. */
        long agedSince(long completedAt, long since) {
            return age(completedAt) - new Aging(halfLifeMillis, alarms, since).age(completedAt);
        }

        /** How many times as fast what was completed then ages now, for one alarm; 1 where none concerns it. */
        int haste(long completedAt) {
            boolean hurried = alarms.stream()
                    .anyMatch(alarm -> completedAt < alarm && alarm <= nowMillis && nowMillis < alarm + FASTER_MILLIS);
            return hurried ? FACTOR : 1;
        }
    }
}
