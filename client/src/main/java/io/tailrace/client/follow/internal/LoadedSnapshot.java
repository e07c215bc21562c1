package io.tailrace.client.follow.internal;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.segment.Segment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One version of a lane, mapped and ready to draft from. Immutable but for its count of leases: whoever holds one may read;
 * the one that gives the last one back closes the segments.
 */
public final class LoadedSnapshot {
    /** One newest and three older. */
    static final int SEGMENTS_MAX = 4;

    private final long version;
    private final DraftPolicy policy;
    private final Learned learned;
    private final LaneIndex index;
    private final Runnable closer;
    private final Runnable discarder;
    /** Starts at 1, the lease of the live snapshot itself; at 0 the snapshot is closed for good. */
    private final AtomicInteger leases = new AtomicInteger(1);

    /**
     * A snapshot that is leased once, by its creator.
     *
     * @param closer frees what {@code index} reads; runs once
     */
    public LoadedSnapshot(long version, DraftPolicy policy, LaneIndex index, Runnable closer) {
        this(version, policy, Learned.NOTHING, index, closer, () -> {});
    }

    /**
     * A snapshot that nobody announced, leased once.
     *
     * @param segments at least one, the newest last
     * @param fresh the worker's own newest generations, or null
     * @param closer frees the segments; runs once
     * @param damaged hears that one of them was found damaged
     */
    static LoadedSnapshot of(
            long version, List<Segment> segments, OccurrenceIndex fresh, Runnable closer, Runnable damaged) {
        int older = segments.size() - 1;
        return new LoadedSnapshot(
                version,
                DraftPolicy.unannounced(),
                Learned.NOTHING,
                new LaneIndex(List.copyOf(segments.subList(0, older)), segments.get(older), fresh),
                closer,
                damaged);
    }

    /**
     * What a manifest says beside the draft's limits and weights.
     *
     * @param atMillis what the policy's weights were learned from was completed before
     * @param costs cost curves by worker class
     * @param alarm a drift alarm was on
     */
    record Learned(long atMillis, Map<String, CostCurve> costs, boolean alarm) {
        static final Learned NOTHING = new Learned(0, Map.of(), false);
    }

    /**
     * A snapshot that is leased once, by its creator.
     *
     * @param closer frees what {@code index} reads; runs once
     * @param discarder deletes this disk's copies of what {@code index} reads
     */
    LoadedSnapshot(
            long version, DraftPolicy policy, Learned learned, LaneIndex index, Runnable closer, Runnable discarder) {
        this.version = version;
        this.policy = policy;
        this.learned = learned;
        this.index = index;
        this.closer = closer;
        this.discarder = discarder;
    }

    /** 0: nothing was loaded yet. */
    public long version() {
        return version;
    }

    public DraftPolicy policy() {
        return policy;
    }

    /** What the policy's weights were learned from was completed before, epoch milliseconds. */
    public long learnedAtMillis() {
        return learned.atMillis();
    }

    /** What a step takes on this class of workers; unknown where the job has not seen any. */
    public CostCurve costCurve(String workerClass) {
        return learned.costs().getOrDefault(workerClass, CostCurve.UNKNOWN);
    }

    /** A drift alarm was on when the version was announced: the traffic has shifted. */
    public boolean driftAlarm() {
        return learned.alarm();
    }

    /** Read it only under a lease. */
    public LaneIndex index() {
        return index;
    }

    /** The same version with nothing to draft from; leased once, by the caller. */
    public LoadedSnapshot withoutIndex() {
        return new LoadedSnapshot(version, policy, learned, LaneIndex.EMPTY, () -> {}, () -> {});
    }

    /** No version, with the policy of this one and what no segment holds to draft from; leased once, by the caller. */
    public LoadedSnapshot withoutSegments() {
        LaneIndex fresh = new LaneIndex(List.of(), null, index.fresh());
        return new LoadedSnapshot(0, policy, learned, fresh, () -> {}, () -> {});
    }

    /** Deletes this disk's copies of the files, which were damaged since they were checked: the next load fetches and maps them anew. */
    public void discardFiles() {
        discarder.run();
    }

    /** Takes a lease; false if the snapshot is closed already. */
    boolean tryLease() {
        int count = leases.get();
        while (count > 0) {
            if (leases.compareAndSet(count, count + 1)) {
                return true;
            }
            count = leases.get();
        }
        return false;
    }

    /** Gives a lease back. */
    public void release() {
        int left = leases.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("snapshot " + version + " was released more often than leased");
        }
        if (left == 0) {
            closer.run();
        }
    }
}
