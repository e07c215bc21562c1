package io.tailrace.lab.chaos;

import java.util.Locale;

/** What can be broken, and for how long. The order is part of a seed's meaning. */
enum FaultKind {
    KILL_TASKMANAGER(0, 4),
    KILL_JOBMANAGER(0, 4),
    KILL_BROKER(0, 6),
    KILL_WORKER(0, 4),
    PAUSE_TASKMANAGER(4, 14),
    PAUSE_JOBMANAGER(4, 14),
    PAUSE_BROKER(4, 14),
    PAUSE_WORKER(4, 14),
    CUT_JOB_KAFKA(3, 10),
    CUT_WORKERS_KAFKA(3, 10),
    CUT_WORKERS_STORE(3, 10),
    SILENT_JOB_KAFKA(3, 10),
    SILENT_WORKERS_KAFKA(3, 10),
    SILENT_WORKERS_STORE(3, 10),
    HALF_OPEN_JOB_KAFKA(3, 10),
    HALF_OPEN_WORKERS_KAFKA(3, 10),
    SLOW_JOB_KAFKA(3, 10),
    SLOW_WORKERS_STORE(3, 10),
    DAMAGED_SEGMENT(1, 3),
    DELETED_SEGMENT(1, 3),
    LATE_SEGMENT(3, 10),
    STALE_SEGMENT(3, 10),
    DAMAGED_CACHE(1, 3),
    DAMAGED_CHECKPOINT(0, 3),
    SECOND_JOB_EMPTY(0, 0),
    SECOND_JOB_FROM_STATE(0, 0),
    ROLLING_UPGRADE(0, 0),
    OLDER_SAVEPOINT(0, 0),
    FULL_STORE(4, 10),
    FULL_TASKS(4, 10),
    FULL_WORKER(4, 10),
    FULL_BROKER(4, 10),
    CLOCK_OFF_90_SECONDS_JOB(6, 12),
    CLOCK_OFF_A_DAY_JOB(6, 12),
    CLOCK_OFF_90_SECONDS_WORKER(6, 12),
    CLOCK_OFF_A_DAY_WORKER(6, 12),
    CLOCK_OFF_90_SECONDS_BROKER(6, 12),
    CLOCK_OFF_A_DAY_BROKER(6, 12),
    HOSTILE_MANIFEST(1, 3);

    private final int secondsMin;
    private final int secondsMax;

    FaultKind(int secondsMin, int secondsMax) {
        this.secondsMin = secondsMin;
        this.secondsMax = secondsMax;
    }

    /** Shortest time from begin to heal. */
    int secondsMin() {
        return secondsMin;
    }

    /** Longest time from begin to heal. */
    int secondsMax() {
        return secondsMax;
    }

    /** As tables and options say it. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
