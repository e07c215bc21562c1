package io.tailrace.client.follow.internal;

import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.DraftPolicy;
import java.util.function.BiConsumer;

/**
 * The snapshot a lane drafts from now. {@link #swap} is one volatile write; readers take a lease, so that a snapshot that is
 * swapped away stays mapped until its last reader is done. Any number of readers; one swapper at a time.
 */
public final class LiveSnapshot {
    private final boolean followed;
    private volatile LoadedSnapshot current;
    private volatile long deletes;
    private volatile BiConsumer<LoadedSnapshot, Throwable> damaged = (snapshot, why) -> dropSegments(snapshot);

    /** Takes over the creator's lease of the first snapshot. */
    public LiveSnapshot(LoadedSnapshot first) {
        this(first, true);
    }

    LiveSnapshot(LoadedSnapshot first, boolean followed) {
        this.current = first;
        this.followed = followed;
    }

    /** False for nobody's lane, and for one beyond the worker's limit: always empty, and nothing learned for it is kept. */
    public boolean followed() {
        return followed;
    }

    /**
     * The current snapshot, leased: {@link LoadedSnapshot#release} it. A lease fails only on a snapshot that was swapped away
     * between the read and the lease, so each further try sees a newer one.
     */
    public LoadedSnapshot lease() {
        while (true) {
            LoadedSnapshot snapshot = current;
            if (snapshot.tryLease()) {
                return snapshot;
            }
            Thread.onSpinWait();
        }
    }

    /** Makes {@code next} the current snapshot, takes over its creator's lease, and gives back that of the one before. */
    public void swap(LoadedSnapshot next) {
        LoadedSnapshot before = current;
        current = next;
        before.release();
    }

    /** Who says what is drafted from after damage, instead of the same snapshot without its segments; one. */
    void onDamage(BiConsumer<LoadedSnapshot, Throwable> listener) {
        damaged = listener;
    }

    /**
     * A segment of a leased snapshot cannot be read any more: from now on the snapshot is not leased again.
     *
     * @param why what the reader was thrown
     */
    public void damaged(LoadedSnapshot snapshot, Throwable why) {
        damaged.accept(snapshot, why);
    }

    /** False if the snapshot had been swapped away already. One swapper at a time. */
    boolean dropSegments(LoadedSnapshot snapshot) {
        if (current != snapshot) {
            return false;
        }
        swap(snapshot.withoutSegments());
        return true;
    }

    /** Deletes that concerned this lane. */
    public long deletes() {
        return deletes;
    }

    /** A delete concerns this lane. One thread at a time. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
    void deleted() {
        deletes++;
    }

    /** The current policy. It outlives its snapshot: no lease is needed. */
    public DraftPolicy policy() {
        return current.policy();
    }

    /** What the current policy says that a step takes on this class of workers. */
    public CostCurve costCurve(String workerClass) {
        return current.costCurve(workerClass);
    }

    /** Version of the current snapshot; 0 if none is loaded. */
    public long version() {
        return current.version();
    }
}
