package io.tailrace.operators.publishing;

import io.tailrace.suffix.segment.GenerationEntry;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which generations have expired by their half-life: of those of one age half are left after each half-life. Who goes is decided by the
 * hash of the request id, so that every merge decides alike and a rewrite drops no more than the time that passed.
 *
 * <p>After a drift alarm, what was completed before it ages {@value #FACTOR} times as fast for a day: the traffic is another.
 *
 * @param halfLifeMillis 0: nothing expires by it
 * @param alarms when alarms were raised, epoch milliseconds
 */
record GenerationAging(long halfLifeMillis, List<Long> alarms, long nowMillis) implements Predicate<GenerationEntry> {
    static final int FACTOR = 4;
    static final long FASTER_MILLIS = 86_400_000L;
    /** So many alarms are remembered. */
    static final int ALARMS_MAX = 16;

    GenerationAging {
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
        return age(completedAt) - new GenerationAging(halfLifeMillis, alarms, since).age(completedAt);
    }

    /** How many times as fast what was completed then ages now, for one alarm; 1 where none concerns it. */
    int haste(long completedAt) {
        boolean hurried = alarms.stream()
                .anyMatch(alarm -> completedAt < alarm && alarm <= nowMillis && nowMillis < alarm + FASTER_MILLIS);
        return hurried ? FACTOR : 1;
    }
}
