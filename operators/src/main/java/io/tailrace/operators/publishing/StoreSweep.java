package io.tailrace.operators.publishing;

import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.SegmentLayout;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes a lane's files that nothing names any more.
 *
 * <p>A file goes only if it was written longer ago than the grace period, and if this publisher has seen it unnamed for at
 * least as long: a restored checkpoint may name a file that the state lost since, and a level-0 segment may have been written
 * that no report has named yet. One lane's sweeps never run at the same time.
 */
final class StoreSweep {
    private final String lane;
    private final long graceMillis;
    private final Map<String, Long> unnamedSince = new HashMap<>();

    StoreSweep(String lane, long graceMillis) {
        this.lane = lane;
        this.graceMillis = graceMillis;
    }

    /** Sweeps once; the number of files removed. */
    int run(DurableStore store, Set<String> named, long nowMillis) throws IOException {
        List<DurableStore.StoredFile> files = store.list(SegmentLayout.folder(lane));
        unnamedSince
                .keySet()
                .retainAll(files.stream().map(DurableStore.StoredFile::path).toList());
        int removed = 0;
        for (DurableStore.StoredFile file : files) {
            if (named.contains(file.path())) {
                unnamedSince.remove(file.path());
            } else {
                long since = unnamedSince.computeIfAbsent(file.path(), path -> nowMillis);
                if (nowMillis - since >= graceMillis && nowMillis - file.modifiedAtMillis() >= graceMillis) {
                    store.delete(file.path());
                    unnamedSince.remove(file.path());
                    removed++;
                }
            }
        }
        return removed;
    }
}
