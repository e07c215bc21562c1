package io.tailrace.e2e.loop;

import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.segment.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A text like no other, and where it can still be found: in a version's files, on the workers' disks. */
final class Canary {
    static final int[] TOKENS =
            IntStream.range(Fleet.CANARIES_FROM, Fleet.CANARIES_FROM + 60).toArray();

    private final Path store;
    private final Path cache;

    /** @param cache folder of all workers' copies */
    Canary(Path store, Path cache) {
        this.store = store;
        this.cache = cache;
    }

    /** How often a version's files have it. */
    long count(SnapshotManifest manifest) throws Exception {
        long count = 0;
        for (SegmentReference reference : manifest.getSegments()) {
            count += count(store.resolve(reference.getPath()));
        }
        return count;
    }

    static long count(Path file) throws Exception {
        try (Segment segment = Segment.inspect(file)) {
            return segment.count(TOKENS);
        }
    }

    /** All segments on the workers' disks. */
    List<Path> cachedFiles() throws IOException {
        try (Stream<Path> files = Files.walk(cache)) {
            return files.filter(file -> file.toString().endsWith(".segment")).toList();
        }
    }
}
