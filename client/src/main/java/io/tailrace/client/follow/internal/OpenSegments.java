package io.tailrace.client.follow.internal;

import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A lane's segment files that some snapshot drafts from, each opened once however many do: what was made of a segment stays with it while one snapshot
 * follows the other. Safe for any number of threads.
 */
final class OpenSegments {
    private final Map<Path, Shared> open = new HashMap<>();

    /** A segment and its users. */
    private static final class Shared {
        private final Segment segment;
        private int users;

        Shared(Segment segment) {
            this.segment = segment;
        }
    }

    /** One user more; give it back once by {@link #release}. */
    synchronized Segment acquire(Path file, SegmentIdentity identity) throws IOException {
        Shared shared = open.get(file);
        if (shared == null) {
            shared = new Shared(Segment.reopen(file, identity));
            open.put(file, shared);
        }
        shared.users++;
        return shared.segment;
    }

    /** One user less; the last one closes it. */
    synchronized void release(Path file) {
        Shared shared = open.get(file);
        shared.users--;
        if (shared.users == 0) {
            open.remove(file);
            shared.segment.close();
        }
    }

    /** Files that have a user. */
    synchronized int size() {
        return open.size();
    }
}
