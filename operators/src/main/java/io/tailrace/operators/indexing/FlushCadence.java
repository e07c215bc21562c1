package io.tailrace.operators.indexing;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.RecentMedian;

/**
 * When a task flushes its shards' memtables: once a checkpoint, so long before it that the lane's publisher can still fold and
 * announce what was flushed. A flush at any other time would make more files and nothing visible sooner. Where checkpoints are
 * far apart, or none has been seen, a memtable's age decides.
 *
 * <p>How long before is learned from the flushes: a task waits for all that are due, and a fold stores two files as a flush does, so a
 * slow store slows both.
 */
final class FlushCadence {
    /** What a fold and its announcement take beside the store, with the way there. */
    static final long FOLD_MILLIS = 150;

    private final long ageMillisMax;
    private final CheckpointRhythm rhythm = new CheckpointRhythm();
    private final RecentMedian flushMillis = new RecentMedian();
    private long cycleMillis;
    private long cycleMillisUsual;

    FlushCadence(long ageMillisMax) {
        this.ageMillisMax = ageMillisMax;
    }

    void checkpointPassed(long nowMillis, long triggered) {
        rhythm.passed(nowMillis, triggered);
        cycleMillisUsual = Math.max(cycleMillis, (3 * cycleMillisUsual + cycleMillis) / 4);
        cycleMillis = 0;
    }

    /**
     * One of the task's shards was flushed.
     *
     * @param tookMillis to write it
     * @param waitedMillis of that the task
     */
    void flushed(long tookMillis, long waitedMillis) {
        cycleMillis += waitedMillis;
        flushMillis.add(tookMillis);
    }

    /** When to flush what is gathered from now on. */
    long flushAt(long nowMillis) {
        long byAge = nowMillis + ageMillisMax;
        long lead = FOLD_MILLIS + 2 * flushMillis.value() + cycleMillisUsual;
        return Math.min(byAge, rhythm.next(nowMillis, nowMillis + lead).orElse(byAge + lead) - lead);
    }
}
