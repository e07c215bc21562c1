package io.tailrace.cli.audit;

import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.Sidecar;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the sidecars of a lane's newest version say. Versions do not name them, so nobody knows whose a damaged one is: it counts while a segment of
 * the newest version has no other.
 */
final class LaneSidecars {
    private static final String SIDECAR = ".sidecar";

    private final Set<RequestHash> wanted;
    /** Of the newest version, by their SHA-256. */
    private final Map<String, String> segments;

    /** Those of them of which no sidecar was read, by their SHA-256. */
    private final Map<String, String> without;

    private final Map<RequestHash, Integer> held = new HashMap<>();
    private final List<String> damaged = new ArrayList<>();

    private LaneSidecars(SnapshotManifest newest, Set<RequestHash> wanted) {
        this.wanted = wanted;
        segments = newest.getSegments().stream()
                .collect(Collectors.toMap(SegmentReference::getSha256, SegmentReference::getPath, (one, other) -> one));
        without = new HashMap<>(segments);
    }

    /**
     * Reads all in the lane's folder.
     *
     * @param wanted requests that are counted
     * @param copy where each is copied to
     */
    static LaneSidecars read(LaneFacts lane, Set<RequestHash> wanted, DurableStore store, Path copy)
            throws IOException {
        LaneSidecars sidecars = new LaneSidecars(lane.versions().lastEntry().getValue(), wanted);
        for (DurableStore.StoredFile file : store.list(SegmentLayout.folder(lane.lane()))) {
            if (file.path().endsWith(SIDECAR)) {
                sidecars.read(store, file.path(), copy);
            }
        }
        return sidecars;
    }

    private void read(DurableStore store, String path, Path copy) throws IOException {
        try {
            store.fetch(path, copy);
            count(Sidecar.read(copy));
        } catch (CorruptSegmentException e) {
            damaged.add(path);
        } catch (FileNotFoundException | NoSuchFileException e) {
            return; // the job has removed it meanwhile
        }
    }

    private void count(Sidecar sidecar) {
        if (segments.containsKey(sidecar.segmentSha256())) {
            without.remove(sidecar.segmentSha256());
            sidecar.entries().stream()
                    .flatMap(List::stream)
                    .map(entry -> new RequestHash(entry.requestHigh(), entry.requestLow()))
                    .filter(wanted::contains)
                    .forEach(id -> held.merge(id, 1, Integer::sum));
        }
    }

    /** How often the newest version holds which of the requests. */
    Map<RequestHash, Integer> held() {
        return held;
    }

    /** Paths of those that are damaged; none where each segment of the newest version has one that is in order. */
    List<String> damaged() {
        return without.isEmpty() ? List.of() : damaged;
    }

    /** Whether a segment without a sidecar in order is among these. */
    boolean isMissedBy(Set<String> paths) {
        return without.values().stream().anyMatch(paths::contains);
    }
}
