package io.tailrace.operators.publishing;

import io.tailrace.operators.store.DurableStore.StoredFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which of a lane's files are read back at a sweep. A file never changes once it is written: one whose size or time is not as when it was found intact
 * is read at once. One that has not been read since this publisher began is read when its turn comes, the newest first and not many bytes a sweep; a
 * large one is taken for intact as it is first seen. A disk that loses bytes without a word is not noticed here, but by the slow round over all files.
 *
 * <p>For one sweep at a time.
 */
final class ReadBack {
    /** Of files that are read for the first time, at one sweep. */
    static final long BYTES_MAX = 32 << 20;

    private final Map<String, StoredFile> intact = new HashMap<>();

    /** @param named the files that something names, as the store lists them */
    List<StoredFile> due(List<StoredFile> named) {
        intact.keySet().retainAll(named.stream().map(StoredFile::path).toList());
        List<StoredFile> due = new ArrayList<>();
        List<StoredFile> unread = new ArrayList<>();
        for (StoredFile file : named) {
            StoredFile before = intact.get(file.path());
            if (before == null && file.sizeBytes() > BYTES_MAX) {
                intact.put(file.path(), file);
            } else if (before == null) {
                unread.add(file);
            } else if (!before.equals(file)) {
                due.add(file);
            }
        }
        unread.sort(Comparator.comparingLong(StoredFile::modifiedAtMillis).reversed());
        long bytes = 0;
        for (StoredFile file : unread) {
            if (bytes + file.sizeBytes() <= BYTES_MAX) {
                bytes += file.sizeBytes();
                due.add(file);
            }
        }
        return due;
    }

    /** The file was found as it was written. */
    void intact(StoredFile file) {
        intact.put(file.path(), file);
    }
}
