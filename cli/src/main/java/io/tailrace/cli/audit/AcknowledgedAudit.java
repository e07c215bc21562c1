package io.tailrace.cli.audit;

import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Sidecar;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Where generations are that Kafka acknowledged to their producers. Each is on topic generations, while that has forgotten nothing and is the first one. Later, and
 * after a move to another Kafka, the newest versions hold what the topic does not, by the sidecars of their segments.
 */
final class AcknowledgedAudit {
    private static final String CHECK = "acknowledged";
    private static final String SIDECAR = ".sidecar";

    private final int acknowledged;
    private final TreeSet<String> missing;

    /**
     * An audit of some ids.
     *
     * @param acknowledged how many there are
     * @param missing those that are not on topic generations
     */
    AcknowledgedAudit(int acknowledged, Set<String> missing) {
        this.acknowledged = acknowledged;
        this.missing = new TreeSet<>(missing);
    }

    /** @param complete true if whatever was written to the topic is there */
    Finding finding(boolean complete, InstallationFacts facts, DurableStore store) throws IOException {
        String onTopic = "%,d acknowledged, %,d of them on topic generations"
                .formatted(acknowledged, acknowledged - missing.size());
        if (missing.isEmpty() || complete) {
            return Finding.of("", CHECK, missing.isEmpty(), onTopic + first());
        }
        int before = missing.size();
        Set<RequestHash> held = held(facts, store);
        missing.removeIf(id -> held.contains(RequestHash.of(id)));
        String detail = "%s, %,d more in the newest versions".formatted(onTopic, before - missing.size());
        if (missing.isEmpty() || facts.nothingHasLeft()) {
            return Finding.of("", CHECK, missing.isEmpty(), detail + first());
        }
        return new Finding(
                "",
                CHECK,
                Finding.Result.UNKNOWN,
                "%s; %,d are in neither, and may be among those that wait, were refused or have left"
                        .formatted(detail, missing.size()));
    }

    private String first() {
        return missing.isEmpty() ? "" : "; %,d missing: %s".formatted(missing.size(), missing.first());
    }

    private static Set<RequestHash> held(InstallationFacts facts, DurableStore store) throws IOException {
        Set<RequestHash> held = new HashSet<>();
        Path folder = Files.createTempDirectory("tailrace-audit");
        try {
            Path copy = folder.resolve("sidecar");
            for (LaneFacts lane : facts.lanes()) {
                if (!lane.versions().isEmpty()) {
                    addHeld(lane, store, copy, held);
                }
            }
            Files.deleteIfExists(copy);
        } finally {
            Files.deleteIfExists(folder);
        }
        return held;
    }

    private static void addHeld(LaneFacts lane, DurableStore store, Path copy, Set<RequestHash> into)
            throws IOException {
        SnapshotManifest newest = lane.versions().lastEntry().getValue();
        Set<String> segments =
                newest.getSegments().stream().map(SegmentReference::getSha256).collect(Collectors.toSet());
        for (DurableStore.StoredFile file : store.list(SegmentLayout.folder(lane.lane()))) {
            if (file.path().endsWith(SIDECAR)) {
                Sidecar sidecar = read(store, file.path(), copy);
                if (sidecar != null && segments.contains(sidecar.segmentSha256())) {
                    for (List<GenerationEntry> document : sidecar.entries()) {
                        document.forEach(entry -> into.add(new RequestHash(entry.requestHigh(), entry.requestLow())));
                    }
                }
            }
        }
    }

    /** Null: the job has removed it meanwhile. */
    private static Sidecar read(DurableStore store, String path, Path copy) throws IOException {
        try {
            store.fetch(path, copy);
        } catch (FileNotFoundException | NoSuchFileException e) {
            return null;
        }
        return Sidecar.read(copy);
    }
}
