package io.tailrace.operators.publishing;

import io.tailrace.schemas.AnnouncementCause;

/**
 * When a lane is announced: as soon as there is a cause, but not more often than once in {@code announceMillis}. An announcement may
 * come a tenth of that early, on account of the next: announcements are made shortly before checkpoints, which are not
 * exact, and one that were a moment too early would wait for the next.
 */
final class AnnouncementCadence {
    private final LaneState state;
    private final long announceMillis;
    private final long earlyMillisMax;

    AnnouncementCadence(LaneState state, long announceMillis) {
        this.state = state;
        this.announceMillis = announceMillis;
        this.earlyMillisMax = announceMillis / 10;
    }

    /** The strongest of the causes that come together is the one named. */
    void makeDue(AnnouncementCause cause) {
        if (state.due == null || strength(cause) > strength(state.due)) {
            state.due = cause;
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

    /** Also right after a clock was set back. */
    boolean mayAnnounce(long nowMillis) {
        return isSetBack(nowMillis) || nowMillis >= announceableAt();
    }

    /** The lane's next announcement may be made from then on. */
    long announceableAt() {
        return state.announcedAt + announceMillis - earlyMillisMax;
    }

    /** An announcement is made; one that is early counts as made in its time. */
    void announced(long nowMillis) {
        long inTime = isSetBack(nowMillis) ? nowMillis : state.announcedAt + announceMillis;
        state.announcedAt = Math.max(nowMillis, Math.min(inTime, nowMillis + earlyMillisMax));
    }

    private boolean isSetBack(long nowMillis) {
        return nowMillis + earlyMillisMax < state.announcedAt;
    }
}
