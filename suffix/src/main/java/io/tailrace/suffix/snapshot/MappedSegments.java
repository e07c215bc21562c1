package io.tailrace.suffix.snapshot;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The segments that are mapped now, each once: successive snapshots share most of theirs, and a segment that stays mapped
 * stays warm. Counts users; the last one unmaps. Safe for any number of threads.
 */
public final class MappedSegments {
    private final SegmentFolder folder;
    private final Map<String, Shared> bySha256 = new HashMap<>();

    /** A segment, as its users share it. */
    static final class Shared {
        private final String sha256;
        private final SegmentOpener.Mapped segment;
        private final SegmentIdentity identity;
        private int users = 1;

        Shared(String sha256, SegmentOpener.Mapped segment, SegmentIdentity identity) {
            this.sha256 = sha256;
            this.segment = segment;
            this.identity = identity;
        }

        OccurrenceIndex index() {
            return segment.index();
        }
    }

    public MappedSegments(SegmentFolder folder) {
        this.folder = folder;
    }

    /**
     * Maps a segment, or counts one more user of it. May download: not under the lock.
     *
     * @throws CorruptSegmentException if it is damaged, or of another lane or tokenizer, mapped already or not
     */
    Shared acquire(SegmentFile file, SegmentIdentity identity) throws IOException {
        Shared shared = share(file.sha256(), identity);
        if (shared != null) {
            return shared;
        }
        SegmentOpener.Mapped opened = folder.open(file, identity);
        Shared meanwhile = shareOrPut(file.sha256(), opened, identity);
        if (meanwhile.index() != opened.index()) {
            opened.unmap().run();
        }
        return meanwhile;
    }

    /** Counts one user less. */
    void release(Shared shared) {
        boolean unused;
        synchronized (bySha256) {
            shared.users--;
            unused = shared.users == 0;
            if (unused) {
                bySha256.remove(shared.sha256, shared);
            }
        }
        if (unused) {
            shared.segment.unmap().run();
        }
    }

    /** Its file is damaged: those who have it mapped keep it, the next to ask maps the file anew. */
    public void forget(String sha256) {
        synchronized (bySha256) {
            bySha256.remove(sha256);
        }
    }

    public boolean isMapped(String sha256) {
        synchronized (bySha256) {
            return bySha256.containsKey(sha256);
        }
    }

    private Shared share(String sha256, SegmentIdentity identity) throws CorruptSegmentException {
        synchronized (bySha256) {
            Shared shared = bySha256.get(sha256);
            if (shared == null) {
                return null;
            }
            if (!shared.identity.equals(identity)) {
                throw CorruptSegmentException.foreign("segment " + sha256, identity, shared.identity);
            }
            shared.users++;
            return shared;
        }
    }

    private Shared shareOrPut(String sha256, SegmentOpener.Mapped opened, SegmentIdentity identity) {
        synchronized (bySha256) {
            Shared shared = bySha256.get(sha256);
            if (shared == null) {
                Shared first = new Shared(sha256, opened, identity);
                bySha256.put(sha256, first);
                return first;
            }
            shared.users++;
            return shared;
        }
    }
}
