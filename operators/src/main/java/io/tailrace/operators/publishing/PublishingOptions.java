package io.tailrace.operators.publishing;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.io.Serializable;
import java.time.Duration;

/**
 * How a lane is laid out, announced and kept.
 *
 * @param announceMillis least time between two announcements of a lane; one may come a tenth early, on account of the next
 * @param newestTokensMax the newest segment joins the older ones when it holds more; under load, up to eight times as much
 * @param newestAgeMillisMax or when it was begun this long ago
 * @param waitingBytesMax heap that generations of a lane that wait for a fold take at most, and much of each checkpoint while folds fail; beyond it
 *     generations wait in their topic, and a job whose store fails restarts
 * @param laneTokensMax a lane's token budget; the oldest generations beyond it expire
 * @param generationAgeMillisMax generations expire when completed longer ago
 * @param halfLifeMillis of the generations of one age half are left after it; 0: age alone decides
 * @param tombstoneMillis how long an applied delete is remembered; longer than admission lets generations be late
 * @param deleteMillisMax a delete is done in every announced version within this of being heard of; what could not be rewritten by then is left out
 * @param versionsRetained announced versions that can be gone back to: the newest, and of the time before fewer the longer ago ({@link VersionSpacing})
 * @param versionAgeMillisMax and for how long; a pinned one and one that a live worker serves stay, and count beside the others
 * @param sweepGraceMillis a file is removed when nothing has named it for this long
 * @param cacheBytesMax local copies of segments kept by one task
 * @param retentionJudged what leaves a lane for its half-life, or before the budget asks for it, is judged first; false where
 *     nothing is evaluated that could judge
 */
public record PublishingOptions(
        long announceMillis,
        long newestTokensMax,
        long newestAgeMillisMax,
        long waitingBytesMax,
        long laneTokensMax,
        long generationAgeMillisMax,
        long halfLifeMillis,
        long tombstoneMillis,
        long deleteMillisMax,
        int versionsRetained,
        long versionAgeMillisMax,
        long sweepGraceMillis,
        long cacheBytesMax,
        boolean retentionJudged)
        implements Serializable {
    /** Beyond it a lane's segments would not be addressable with 32-bit positions after a merge. */
    public static final long LANE_TOKENS_MAX = 200_000_000;

    /** Workers could not go back to more: what they remember must also have room for versions that a pin or a worker keeps. */
    public static final int VERSIONS_RETAINED_MAX = 200;

    /** Some ten million tokens in answers of two hundred. */
    public static final long WAITING_BYTES_MAX = 64L << 20;

    /** Under load the newest segment may hold so many times its limit, ... */
    private static final int LOAD_TIMES = 8;
    /** ... but no more than this part of what the lane may: budget and half-lives reach older segments only. */
    private static final int LANE_PARTS_UNDER_LOAD = 16;

    public PublishingOptions {
        require(announceMillis >= 1, "announceMillis must be >= 1, got %d", announceMillis);
        require(newestTokensMax >= 1, "newestTokensMax must be >= 1, got %d", newestTokensMax);
        require(newestAgeMillisMax >= 1, "newestAgeMillisMax must be >= 1, got %d", newestAgeMillisMax);
        require(waitingBytesMax >= 1, "waitingBytesMax must be >= 1, got %d", waitingBytesMax);
        require(
                laneTokensMax >= newestTokensMax && laneTokensMax <= LANE_TOKENS_MAX,
                "laneTokensMax must be newestTokensMax (%d) to %d, got %d",
                newestTokensMax,
                LANE_TOKENS_MAX,
                laneTokensMax);
        require(generationAgeMillisMax >= 1, "generationAgeMillisMax must be >= 1, got %d", generationAgeMillisMax);
        require(halfLifeMillis >= 0, "halfLifeMillis must be >= 0, got %d", halfLifeMillis);
        require(tombstoneMillis >= 1, "tombstoneMillis must be >= 1, got %d", tombstoneMillis);
        require(deleteMillisMax >= 1, "deleteMillisMax must be >= 1, got %d", deleteMillisMax);
        require(
                versionsRetained >= 1 && versionsRetained <= VERSIONS_RETAINED_MAX,
                "versionsRetained must be 1 to %d, got %d; workers remember 256 versions of a lane, pinned and served ones among them",
                VERSIONS_RETAINED_MAX,
                versionsRetained);
        require(versionAgeMillisMax >= 1, "versionAgeMillisMax must be >= 1, got %d", versionAgeMillisMax);
        require(sweepGraceMillis >= 1, "sweepGraceMillis must be >= 1, got %d", sweepGraceMillis);
        require(cacheBytesMax >= 0, "cacheBytesMax must be >= 0, got %d", cacheBytesMax);
    }

    /** A second; 262,144 tokens or ten minutes; 64 MiB; 32M tokens or 30 days, half-life ten days; eight days; a quarter of an hour; 64 versions for a week; ten minutes; 1 GiB. */
    public static PublishingOptions defaults() {
        return new PublishingOptions(
                1_000,
                1 << 18,
                Duration.ofMinutes(10).toMillis(),
                WAITING_BYTES_MAX,
                32_000_000,
                Duration.ofDays(30).toMillis(),
                Duration.ofDays(10).toMillis(),
                Duration.ofDays(8).toMillis(),
                Duration.ofMinutes(15).toMillis(),
                64,
                Duration.ofDays(7).toMillis(),
                Duration.ofMinutes(10).toMillis(),
                1L << 30,
                true);
    }

    /** Heap, in bytes, that a process needs to merge lanes of these limits. */
    public long heapBytesMin() {
        return MergeHeap.bytesMin(laneTokensMax);
    }

    /** Lays lanes out by these limits. */
    public SegmentPlanner planner() {
        long loadTokensMax = Math.min(LOAD_TIMES * newestTokensMax, laneTokensMax / LANE_PARTS_UNDER_LOAD);
        return new SegmentPlanner(newestTokensMax, loadTokensMax, newestAgeMillisMax);
    }
}
