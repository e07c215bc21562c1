package io.tailrace.operators.publishing;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FileHash;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.operators.store.TaskFolder;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.snapshot.SegmentFile;
import io.tailrace.suffix.snapshot.SegmentFolder;
import io.tailrace.suffix.snapshot.SegmentOpener;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Does what a {@link MergePlan} says: fetches, merges, stores. Runs on side threads; touches no state. Local copies stay, so that a
 * segment is not fetched again for each merge; those in use are never evicted.
 */
final class SegmentMerge {
    private final ModelCatalog models;
    private final DurableStore store;
    private final SegmentFolder copies;
    private final TaskFolder scratch;
    /** How many merges use a local copy, by its SHA-256. */
    private final Map<String, Integer> users = new HashMap<>();

    private SegmentMerge(ModelCatalog models, DurableStore store, SegmentFolder copies, TaskFolder scratch) {
        this.models = models;
        this.store = store;
        this.copies = copies;
        this.scratch = scratch;
    }

    /** @param copiesBytesMax local copies that no merge uses go beyond it, the longest unused first */
    static SegmentMerge create(ModelCatalog models, DurableStore store, TaskFolder scratch, long copiesBytesMax)
            throws IOException {
        SegmentFolder copies = new SegmentFolder(
                store.source(),
                scratch.newFolder(),
                copiesBytesMax,
                SegmentOpener.ownSegments(),
                (sha256, damage) -> {}); // of segments that are mapped; these are not
        return new SegmentMerge(models, store, copies, scratch);
    }

    /** When this returns, the merged segment is durable. */
    MergePlan.Outcome run(MergePlan plan) throws IOException {
        List<SegmentFile> wanted = new ArrayList<>();
        for (StoredSegment input : plan.inputs()) {
            wanted.add(input.file());
            wanted.add(input.sidecarFile());
        }
        count(wanted, 1);
        try {
            return merge(plan, inputs(plan));
        } finally {
            count(wanted, -1);
            evict();
        }
    }

    private List<Compaction.Files> inputs(MergePlan plan) throws IOException {
        List<Compaction.Files> inputs = new ArrayList<>();
        for (StoredSegment input : plan.inputs()) {
            inputs.add(new Compaction.Files(copy(input.file()), copy(input.sidecarFile())));
        }
        evict();
        return inputs;
    }

    private Path copy(SegmentFile wanted) throws IOException {
        return copies.copy(wanted, FileHash::sha256);
    }

    private MergePlan.Outcome merge(MergePlan plan, List<Compaction.Files> inputs) throws IOException {
        Path folder = scratch.newFolder();
        try {
            Compaction.Result result = Compaction.merge(inputs, plan.retention(), models.identity(plan.lane()), folder);
            StoredSegment merged = null;
            if (result.files() != null) {
                merged = SegmentLayout.put(store, plan.lane(), result.files(), result.summary());
                copies.adopt(merged.file(), result.files().segment());
                copies.adopt(merged.sidecarFile(), result.files().sidecar());
            }
            return new MergePlan.Outcome(plan, merged, result.expiredTokens(), result.deletedTokens(), null);
        } catch (CorruptSegmentException | NoSuchFileException e) {
            for (StoredSegment input : plan.inputs()) {
                copies.discard(input.sha256());
                copies.discard(input.sidecarFile().sha256());
            }
            throw e;
        } finally {
            TaskFolder.remove(folder);
        }
    }

    private synchronized void count(List<SegmentFile> files, int change) {
        for (SegmentFile file : files) {
            users.merge(file.sha256(), change, (before, more) -> before + more == 0 ? null : before + more);
        }
    }

    private synchronized void evict() throws IOException {
        copies.evict(users::containsKey);
    }
}
