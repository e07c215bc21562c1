package io.tailrace.operators.publishing;

import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.SegmentLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes a lane's files that nothing names any more.
 *
 * <p>A file goes only if it was written longer ago than the grace period, and if this publisher has seen it unnamed for at
 * least as long: a restored checkpoint may name a file that the state lost since, and a merge may have written one that the state does not name yet. Equal content is written to the same path: from then on the file counts as another one, also where the store's
 * clock is behind, and files are looked at again right before a few of them go. One lane's sweeps never run at the same time.
 *
 * <p>Nor does it go while the newest complete checkpoint may name it: where checkpoints are taken and none completes, the job would go back to that one.
 *
 * <p>The first sweep after a pause only looks: another job may have taken the installation over meanwhile and named what this one has seen
 * unnamed, and by the next sweep this one has heard of it, if it reaches Kafka. Of two sweeps in a row one may remove, however long the pauses: a
 * machine that is always late still tidies up. A sweep before which nothing was seen unnamed removes nothing anyway, and so is no such look.
 */
final class StoreSweep {
    private static final Logger LOG = LoggerFactory.getLogger(StoreSweep.class);
    private static final int REMOVED_AT_ONCE = 8;
    /** No sweep comes so long after one that saw a file unnamed unless the process was stopped, or is very late. */
    static final long PAUSE_MILLIS = 120_000;

    private final String lane;
    private final long graceMillis;
    private final Map<String, Unnamed> unnamed = new HashMap<>();
    private long sweptAt;
    private boolean onlyLooked;

    StoreSweep(String lane, long graceMillis) {
        this.lane = lane;
        this.graceMillis = graceMillis;
    }

    /**
     * What a sweep found.
     *
     * @param removed files
     * @param missing paths that are named and not there; none where the folder is empty: that is not the store
     * @param named files that are named and there
     * @param unnamed files that were there and are not named, whether they were removed or not
     */
    record Swept(int removed, List<String> missing, List<DurableStore.StoredFile> named, int unnamed) {}

    /** A file as it was written then, seen unnamed since. */
    private record Unnamed(long modifiedAtMillis, long sinceMillis) {
        boolean is(DurableStore.StoredFile file) {
            return file.modifiedAtMillis() == modifiedAtMillis;
        }
    }

    /** Removes a file from the store, and what else there is of it. */
    @FunctionalInterface
    interface Removal {
        /** False: it is in use, and stays until the next sweep. */
        boolean remove(String path) throws IOException;
    }

    /**
     * Sweeps once.
     *
     * @param durableTo what was named last before then may go
     */
    Swept run(DurableStore store, Removal removal, Set<String> named, long durableTo, long nowMillis)
            throws IOException {
        long passed = nowMillis - sweptAt;
        onlyLooked = passed >= PAUSE_MILLIS && !onlyLooked && !unnamed.isEmpty();
        sweptAt = nowMillis;
        doNotCount(passed - Math.max(0, Math.min(passed, PAUSE_MILLIS)));
        List<DurableStore.StoredFile> files = store.list(SegmentLayout.folder(lane));
        unnamed.keySet()
                .retainAll(files.stream().map(DurableStore.StoredFile::path).toList());
        List<String> old = new ArrayList<>();
        for (DurableStore.StoredFile file : files) {
            if (named.contains(file.path())) {
                unnamed.remove(file.path());
            } else {
                Unnamed seen = unnamed.compute(
                        file.path(),
                        (path, before) -> before != null && before.is(file)
                                ? before
                                : new Unnamed(file.modifiedAtMillis(), nowMillis));
                boolean isLong = nowMillis - seen.sinceMillis() >= graceMillis && isOld(file, nowMillis);
                if (isLong && seen.sinceMillis() <= durableTo) {
                    old.add(file.path());
                }
            }
        }
        Set<String> missing = new TreeSet<>(files.isEmpty() ? Set.of() : named);
        files.forEach(file -> missing.remove(file.path()));
        List<DurableStore.StoredFile> there =
                files.stream().filter(file -> named.contains(file.path())).toList();
        return new Swept(
                onlyLooked ? 0 : remove(store, removal, old), List.copyOf(missing), there, files.size() - there.size());
    }

    /** A clock may have been set: no more time is taken for passed between two sweeps than a pause is long, and none where it went back. */
    private void doNotCount(long millis) {
        if (millis != 0) {
            unnamed.replaceAll((path, seen) -> new Unnamed(seen.modifiedAtMillis(), seen.sinceMillis() + millis));
        }
    }

    private boolean isOld(DurableStore.StoredFile file, long nowMillis) {
        return nowMillis - file.modifiedAtMillis() >= graceMillis;
    }

    private int remove(DurableStore store, Removal removal, List<String> old) throws IOException {
        int removed = 0;
        for (int from = 0; from < old.size(); from += REMOVED_AT_ONCE) {
            List<String> some = old.subList(from, Math.min(old.size(), from + REMOVED_AT_ONCE));
            for (DurableStore.StoredFile file : store.list(SegmentLayout.folder(lane))) {
                boolean same =
                        some.contains(file.path()) && unnamed.get(file.path()).is(file);
                if (same && removes(removal, file.path())) {
                    unnamed.remove(file.path());
                    removed++;
                }
            }
        }
        return removed;
    }

    /** A file that cannot be removed keeps no other one there. */
    private boolean removes(Removal removal, String path) {
        try {
            return removal.remove(path);
        } catch (IOException e) {
            LOG.warn("lane {}: nothing names {}, and it cannot be removed, which is tried again", lane, path, e);
            return false;
        }
    }
}
