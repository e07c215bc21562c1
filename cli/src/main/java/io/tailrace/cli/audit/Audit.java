package io.tailrace.cli.audit;

import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Reads an installation's topics and store, and says what it found. */
final class Audit {
    private final Supplier<LoopTopics> topicsOpened;
    private final URI store;
    private final boolean deep;
    private final Duration deleteMax;
    private final Set<String> acknowledged;
    private final List<Path> copies;

    /**
     * An audit of one installation.
     *
     * @param topicsOpened opens its topics, for each audit anew
     * @param deep whether every byte is read, and answers are compared one by one
     * @param deleteMax how long a delete may wait
     * @param acknowledged request ids of generations that Kafka acknowledged to their producers; may be empty
     * @param copies folders that lost or damaged files are mended from; none: nothing is written
     */
    Audit(
            Supplier<LoopTopics> topicsOpened,
            URI store,
            boolean deep,
            Duration deleteMax,
            Set<String> acknowledged,
            List<Path> copies) {
        this.topicsOpened = topicsOpened;
        this.store = store;
        this.deep = deep;
        this.deleteMax = deleteMax;
        this.acknowledged = acknowledged;
        this.copies = copies;
    }

    /** Looks at everything once. */
    List<Finding> run() throws IOException {
        List<Finding> findings = new ArrayList<>();
        try (LoopTopics topics = topicsOpened.get();
                VersionsNow now = new VersionsNow(topicsOpened);
                DurableStore files = files(store)) {
            InstallationFacts facts = InstallationFacts.read(topics, deep, acknowledged);
            RecordsAccount account = facts.account();
            long written = topics.everWritten(Topic.GENERATIONS);
            findings.add(facts.readable());
            findings.add(Books.records(account, written));
            boolean waiting = account.waiting(written) > 0;
            boolean complete = topics.removed(Topic.GENERATIONS) == 0 && account.before() == 0 && account.told();
            AcknowledgedAudit ids = new AcknowledgedAudit(acknowledged);
            if (!acknowledged.isEmpty()) {
                findings.add(ids.finding(complete, waiting, facts, files));
            }
            for (LaneFacts lane : facts.lanes()) {
                List<String> sidecars = ids.damagedSidecars(lane.lane(), now);
                findings.addAll(audit(lane, files, sidecars, now, complete, waiting));
            }
        }
        return findings;
    }

    private static DurableStore files(URI store) throws IOException {
        if (!"s3".equals(store.getScheme())) {
            return FlinkFileStore.factory(store).open();
        }
        S3Files bucket = new S3Files(store);
        try {
            bucket.requireReachable();
            return bucket;
        } catch (IOException e) {
            bucket.close();
            throw e;
        }
    }

    /** @param sidecars those of the lane that are damaged */
    private List<Finding> audit(
            LaneFacts lane,
            DurableStore files,
            List<String> sidecars,
            VersionsNow now,
            boolean complete,
            boolean flowing)
            throws IOException {
        LaneAudit audit = new LaneAudit(lane);
        StoredFiles stored = look(files, lane);
        Map<SegmentReference, String> wrong = audit.wrongFiles(stored.sizes(), stored.damaged());
        boolean overtaken = dropWithdrawn(wrong, lane, now);
        int mended = mend(lane.lane(), wrong, new Repair(files, copies));
        if (mended > 0) {
            stored = look(files, lane);
        }
        List<String> amiss = new ArrayList<>(wrong.values());
        sidecars.forEach(path -> amiss.add(LaneAudit.damaged(path)));
        List<Finding> findings = new ArrayList<>(List.of(
                audit.tokens(),
                audit.versions(),
                audit.files(amiss, mended),
                audit.deletes(System.currentTimeMillis(), deleteMax)));
        if (deep) {
            findings.add(overtaken ? audit.overtaken() : audit.answers(stored.held(), complete, flowing));
        }
        return findings;
    }

    /** Takes out what no version names any more, whose file is swept, and rightly; true if the newest version was among what named it. */
    private static boolean dropWithdrawn(Map<SegmentReference, String> wrong, LaneFacts lane, VersionsNow now) {
        if (wrong.isEmpty()) {
            return false;
        }
        Set<String> named = now.paths(lane.lane());
        boolean overtaken = wrong.keySet().stream()
                .anyMatch(segment -> !named.contains(segment.getPath())
                        && lane.versions().lastEntry().getValue().getSegments().contains(segment));
        wrong.keySet().removeIf(segment -> !named.contains(segment.getPath()));
        return overtaken;
    }

    /** How many of them are in order now; those are taken out. */
    private static int mend(String lane, Map<SegmentReference, String> wrong, Repair repair) throws IOException {
        int before = wrong.size();
        for (SegmentReference segment : List.copyOf(wrong.keySet())) {
            if (repair.mend(lane, segment)) {
                wrong.remove(segment);
            }
        }
        return before - wrong.size();
    }

    private StoredFiles look(DurableStore files, LaneFacts lane) throws IOException {
        StoredFiles stored = new StoredFiles(files, lane);
        if (deep) {
            stored.readAll();
        }
        return stored;
    }
}
