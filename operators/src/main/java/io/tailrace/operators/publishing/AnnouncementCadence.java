package io.tailrace.operators.publishing;

import io.tailrace.schemas.AnnouncementCause;

/** When a lane is announced: as soon as there is a cause, but not sooner after the last time than {@code announceMillis}. */
final class AnnouncementCadence {
    private final LaneState state;
    private final long announceMillis;

    AnnouncementCadence(LaneState state, long announceMillis) {
        this.state = state;
        this.announceMillis = announceMillis;
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

    boolean mayAnnounce(long nowMillis) {
        return nowMillis >= state.announcedAt + announceMillis;
    }
}
