package io.tailrace.cli.audit;

import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FileHash;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What the store holds of a lane. */
final class StoredFiles {
    private final DurableStore store;
    private final LaneFacts facts;
    private final Set<String> damaged = new HashSet<>();
    private final Map<TokensHash, Integer> held = new HashMap<>();

    StoredFiles(DurableStore store, LaneFacts facts) {
        this.store = store;
        this.facts = facts;
    }

    /** Sizes by path. */
    Map<String, Long> sizes() throws IOException {
        Map<String, Long> sizes = new HashMap<>();
        store.list(SegmentLayout.folder(facts.lane())).forEach(file -> sizes.put(file.path(), file.sizeBytes()));
        return sizes;
    }

    /** Reads every byte of every file that a version names. */
    void readAll() throws IOException {
        try (CopyFolder folder = CopyFolder.open()) {
            readAll(folder.file("segment"));
        }
    }

    private void readAll(Path copy) throws IOException {
        Set<String> read = new HashSet<>();
        long newest = facts.versions().isEmpty() ? 0 : facts.versions().lastKey();
        for (SnapshotManifest manifest : facts.versions().descendingMap().values()) {
            for (SegmentReference segment : manifest.getSegments()) {
                if (read.add(segment.getPath())) {
                    read(segment, manifest, manifest.getVersion() == newest, copy);
                }
            }
        }
    }

    private void read(SegmentReference segment, SnapshotManifest manifest, boolean count, Path copy)
            throws IOException {
        try {
            store.fetch(segment.getPath(), copy);
        } catch (FileNotFoundException | NoSuchFileException e) {
            return; // its size is missing, too
        }
        if (!FileHash.sha256(copy).equals(segment.getSha256())) {
            damaged.add(segment.getPath());
        } else if (count) {
            count(copy, manifest, segment);
        }
    }

    private void count(Path copy, SnapshotManifest manifest, SegmentReference reference) throws IOException {
        SegmentIdentity identity = new SegmentIdentity(
                LaneId.of(manifest.getLane()).toString(),
                manifest.getVocabularySize(),
                manifest.getTokenizerFingerprint());
        try (Segment segment = Segment.openVerified(copy, identity)) {
            for (int document = 0; document < segment.documents(); document++) {
                held.merge(
                        TokensHash.of(segment.answer(document).tokens()), segment.multiplicity(document), Integer::sum);
            }
        } catch (CorruptSegmentException e) {
            damaged.add(reference.getPath());
        }
    }

    /** Paths of files whose bytes are not what their names say. */
    Set<String> damaged() {
        return damaged;
    }

    /** How often the newest version holds which answer. */
    Map<TokensHash, Integer> held() {
        return held;
    }
}
