package io.tailrace.client.follow;

import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.RememberedAnswer;
import org.HdrHistogram.Histogram;

/** One lane of a worker: what it is called, how it is followed, and where answers are remembered. Safe for any number of threads. */
public interface FollowedLane {
    LaneId lane();

    /** A request was finished here: from now on the lane drafts from its answer. */
    void finished(String requestId, RememberedAnswer answer, long completedAtMillis);

    /** How it is followed, now. */
    LaneState state(long nowMillis);

    /** Freshness of snapshots so far, in milliseconds; a copy. */
    Histogram freshness();

    /** How long after their completion other workers' answers were heard of, in milliseconds; a copy. */
    Histogram heard();
}
