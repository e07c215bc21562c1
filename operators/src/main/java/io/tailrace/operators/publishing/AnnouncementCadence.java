package io.tailrace.operators.publishing;

import io.tailrace.schemas.AnnouncementCause;

/**
 * When a lane is announced: as soon as there is a cause, but not more often than once in {@code announceMillis}, and less often where nothing but
 * new answers is to be told and {@link FetchPacing} says so. An announcement may come a tenth of {@code announceMillis} early, on account of the next: announcements are made shortly before checkpoints, which are not
 * exact, and one that were a moment too early would wait for the next.
 */
final class AnnouncementCadence {
    private final long earlyMillisMax;
    private AnnouncementCause due;
    private long announcedAt;

    /**
     * What is checkpointed of it.
     *
     * @param due why the next announcement is due; null if it is not
     * @param announcedAt when the last was made, epoch milliseconds; if that was early, when it might have been
     */
    record State(AnnouncementCause due, long announcedAt) {
        static final State BEGUN = new State(null, 0);
    }

    AnnouncementCadence(State state, long announceMillis) {
        this.due = state.due;
        this.announcedAt = state.announcedAt;
        this.earlyMillisMax = announceMillis / 10;
    }

    /** Why and when an announcement is made. */
    record Announced(AnnouncementCause cause, long atMillis) {}

    State state() {
        return new State(due, announcedAt);
    }

    /** The strongest of the causes that come together is the one named. */
    void makeDue(AnnouncementCause cause) {
        if (due == null || strength(cause) > strength(due)) {
            due = cause;
        }
    }

    private static int strength(AnnouncementCause cause) {
        return switch (cause) {
            case ROLLBACK -> 4;
            case DELETE -> 3;
            case DRIFT, POLICY -> 2;
            case CADENCE -> 1;
            default -> 0;
        };
    }

    boolean isDue() {
        return due != null;
    }

    boolean isDueFor(AnnouncementCause cause) {
        return due == cause;
    }

    /** True if what is due are new answers at most, which workers have heard of. */
    boolean isRoutine() {
        return due == null || due == AnnouncementCause.CADENCE || due == AnnouncementCause.MERGE;
    }

    /**
     * The lane's next announcement may be made from then on; right after a clock was set back: now.
     *
     * @param apartMillis time from one announcement to the next
     */
    long announceableAt(long nowMillis, long apartMillis) {
        return isSetBack(nowMillis) ? nowMillis : announcedAt + apartMillis - earlyMillisMax;
    }

    /** An announcement is made, for this cause; one that is early counts as made in its time. */
    Announced announced(long nowMillis, long apartMillis) {
        AnnouncementCause cause = due;
        due = null;
        long inTime = isSetBack(nowMillis) ? nowMillis : announcedAt + apartMillis;
        announcedAt = Math.max(nowMillis, Math.min(inTime, nowMillis + earlyMillisMax));
        return new Announced(cause, nowMillis);
    }

    private boolean isSetBack(long nowMillis) {
        return nowMillis + earlyMillisMax < announcedAt;
    }
}
