package io.tailrace.schemas;

import java.util.NavigableMap;

/**
 * Which of several jobs' announcements of a lane count. A job's epoch is higher than that of every job that claimed the installation before it, and
 * a job numbers its versions above all that were announced when it began. So a version of an older epoch that is not below those of a newer
 * one was announced by a job that did not know that its time was over.
 */
public final class Epochs {
    /** No installation has seen so many claims. */
    public static final long MAX = 1L << 40;

    private Epochs() {}

    /**
     * Refuses what no claim has: an epoch that none can follow would silence every job to come.
     *
     * @throws IllegalArgumentException unless it is 0, for none, to {@link #MAX}
     */
    public static void check(long epoch) {
        if (epoch < 0 || epoch > MAX) {
            throw new IllegalArgumentException(
                    "epoch %d is not in 0 to %d; find out who else writes the topic".formatted(epoch, MAX));
        }
    }

    /**
     * Adds a manifest to those that are known of a lane by their versions, unless a later epoch has announced its version or one before it;
     * removes those for which the same is true now.
     *
     * @return whether it was added
     */
    public static boolean add(NavigableMap<Long, SnapshotManifest> known, SnapshotManifest manifest) {
        long epoch = manifest.getEpoch();
        for (SnapshotManifest earlier :
                known.headMap(manifest.getVersion(), true).values()) {
            if (earlier.getEpoch() > epoch) {
                return false;
            }
        }
        known.tailMap(manifest.getVersion(), true).values().removeIf(later -> later.getEpoch() < epoch);
        known.put(manifest.getVersion(), manifest);
        return true;
    }
}
