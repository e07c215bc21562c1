package io.tailrace.operators.publishing;

import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FileHash;
import io.tailrace.operators.store.SegmentLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Local copies of stored files, so that a segment is not fetched again for each merge. Files are named by their content and
 * checked when they are fetched. A file in use stays; of the others the least recently used go when the limit is passed.
 * Safe for several threads.
 */
final class SegmentCache {
    private final DurableStore store;
    private final Path folder;
    private final long bytesMax;
    private final AtomicLong names = new AtomicLong();
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** A file that is there. */
    private static final class Entry {
        private final Path file;
        private final long bytes;
        private int users;

        private Entry(Path file, long bytes) {
            this.file = file;
            this.bytes = bytes;
        }
    }

    SegmentCache(DurableStore store, Path folder, long bytesMax) {
        this.store = store;
        this.folder = folder;
        this.bytesMax = bytesMax;
    }

    /** A local copy of a stored file, which stays until it is {@link #release released}. */
    Path acquire(String path) throws IOException {
        Path held = acquireHeld(path);
        if (held != null) {
            return held;
        }
        Path aside = folder.resolve("fetch-" + names.incrementAndGet());
        store.fetch(path, aside);
        String expected = SegmentLayout.sha256(path);
        String got = FileHash.sha256(aside);
        if (!got.equals(expected)) {
            Files.delete(aside);
            throw new IOException("%s has hash %s, expected %s; the stored file is damaged, restore it or roll back"
                    .formatted(path, got, expected));
        }
        return enter(path, aside, 1);
    }

    private synchronized Path acquireHeld(String path) {
        Entry entry = entries.get(path);
        if (entry == null) {
            return null;
        }
        entry.users++;
        return entry.file;
    }

    /** Takes over a file that was just stored under this path. */
    void adopt(String path, Path file) throws IOException {
        enter(path, file, 0);
    }

    private synchronized Path enter(String path, Path file, int users) throws IOException {
        Entry entry = entries.get(path);
        if (entry == null) {
            Path target = folder.resolve("cached-" + names.incrementAndGet());
            Files.move(file, target, StandardCopyOption.REPLACE_EXISTING);
            entry = new Entry(target, Files.size(target));
            entries.put(path, entry);
            bytes += entry.bytes;
        } else {
            Files.delete(file);
        }
        entry.users += users;
        evict();
        return entry.file;
    }

    /** Forgets the local copy of a file, which is damaged or gone: it is fetched anew when it is next asked for. */
    synchronized void invalidate(String path) throws IOException {
        Entry entry = entries.remove(path);
        if (entry != null) {
            bytes -= entry.bytes;
            Files.deleteIfExists(entry.file);
        }
    }

    synchronized void release(String path) throws IOException {
        Entry entry = entries.get(path);
        if (entry != null && entry.users > 0) {
            entry.users--;
        }
        evict();
    }

    private void evict() throws IOException {
        for (Iterator<Entry> each = entries.values().iterator(); bytes > bytesMax && each.hasNext(); ) {
            Entry entry = each.next();
            if (entry.users == 0) {
                each.remove();
                bytes -= entry.bytes;
                Files.deleteIfExists(entry.file);
            }
        }
    }
}
