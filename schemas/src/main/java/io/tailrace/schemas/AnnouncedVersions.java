package io.tailrace.schemas;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * A lane's versions as they are announced and withdrawn, and which of them count. A job's {@linkplain Epochs epoch} is higher than that of every job
 * that claimed the installation before it, and a job numbers its versions above all that were announced when it began. So a version of an older epoch that
 * is not below those of a newer one was announced by a job that did not know that its time was over: it does not count, until that of the newer epoch is
 * withdrawn. What counts follows from what is announced and not withdrawn, in whatever order that is read. Not thread-safe.
 */
public final class AnnouncedVersions {
    /** More that do not count are not remembered; the oldest go first. */
    static final int SUPERSEDED_MAX = 256;

    private final TreeMap<Long, SnapshotManifest> counting = new TreeMap<>();
    private final TreeMap<Long, SnapshotManifest> superseded = new TreeMap<>();
    private final NavigableMap<Long, SnapshotManifest> shown = Collections.unmodifiableNavigableMap(counting);

    /** Takes up a manifest; false: a later epoch has announced its version or one before it, so it does not count. */
    public boolean announce(SnapshotManifest manifest) {
        long epoch = manifest.getEpoch();
        long version = manifest.getVersion();
        if (counting.headMap(version, true).values().stream().anyMatch(earlier -> earlier.getEpoch() > epoch)) {
            supersede(manifest);
            return false;
        }
        List<SnapshotManifest> hidden = counting.tailMap(version, true).values().stream()
                .filter(later -> later.getEpoch() < epoch)
                .toList();
        hidden.forEach(later -> counting.remove(later.getVersion()));
        counting.put(version, manifest);
        hidden.forEach(this::supersede);
        superseded.remove(version);
        return true;
    }

    private void supersede(SnapshotManifest manifest) {
        if (!counting.containsKey(manifest.getVersion())) {
            superseded.merge(
                    manifest.getVersion(), manifest, (one, other) -> one.getEpoch() > other.getEpoch() ? one : other);
        }
        if (superseded.size() > SUPERSEDED_MAX) {
            superseded.pollFirstEntry();
        }
    }

    /** The manifest that is no more; null if it was not known. */
    public SnapshotManifest withdraw(long version) {
        SnapshotManifest hidden = superseded.remove(version);
        SnapshotManifest withdrawn = counting.remove(version);
        if (withdrawn == null) {
            return hidden;
        }
        List<SnapshotManifest> again = List.copyOf(superseded.values());
        superseded.clear();
        again.forEach(this::announce);
        return withdrawn;
    }

    /** One that counts is remembered no longer, although it is not withdrawn. */
    public void forget(long version) {
        counting.remove(version);
    }

    /** Those that count, by their number; follows what happens. */
    public NavigableMap<Long, SnapshotManifest> counting() {
        return shown;
    }

    /** Numbers of all that are known, whether they count or not. */
    public Set<Long> all() {
        Set<Long> all = new HashSet<>(counting.keySet());
        all.addAll(superseded.keySet());
        return all;
    }
}
