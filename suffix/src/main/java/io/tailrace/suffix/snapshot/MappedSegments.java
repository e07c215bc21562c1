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

    private static final class Shared {
        private final SegmentOpener.Mapped segment;
        private final SegmentIdentity identity;
        private int users = 1;

        Shared(SegmentOpener.Mapped segment, SegmentIdentity identity) {
            this.segment = segment;
            this.identity = identity;
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
    public OccurrenceIndex acquire(SegmentFile file, SegmentIdentity identity) throws IOException {
        OccurrenceIndex shared = share(file.sha256(), identity);
        if (shared != null) {
            return shared;
        }
        SegmentOpener.Mapped opened = folder.open(file, identity);
        OccurrenceIndex meanwhile = shareOrPut(file.sha256(), opened, identity);
        if (meanwhile != opened.index()) {
            opened.unmap().run();
        }
        return meanwhile;
    }

    /** Counts one user less. */
    public void release(String sha256) {
        SegmentOpener.Mapped unused = null;
        synchronized (bySha256) {
            Shared shared = bySha256.get(sha256);
            shared.users--;
            if (shared.users == 0) {
                bySha256.remove(sha256);
                unused = shared.segment;
            }
        }
        if (unused != null) {
            unused.unmap().run();
        }
    }

    public boolean isMapped(String sha256) {
        synchronized (bySha256) {
            return bySha256.containsKey(sha256);
        }
    }

    private OccurrenceIndex share(String sha256, SegmentIdentity identity) throws CorruptSegmentException {
        synchronized (bySha256) {
            Shared shared = bySha256.get(sha256);
            if (shared == null) {
                return null;
            }
            if (!shared.identity.equals(identity)) {
                throw new CorruptSegmentException(
                        "segment %s: identity expected %s, got %s; the file is intact but belongs elsewhere: check the lane's manifest"
                                .formatted(sha256, identity, shared.identity));
            }
            shared.users++;
            return shared.segment.index();
        }
    }

    private OccurrenceIndex shareOrPut(String sha256, SegmentOpener.Mapped opened, SegmentIdentity identity) {
        synchronized (bySha256) {
            Shared shared = bySha256.get(sha256);
            if (shared == null) {
                bySha256.put(sha256, new Shared(opened, identity));
                return opened.index();
            }
            shared.users++;
            return shared.segment.index();
        }
    }
}
