package io.tailrace.operators.publishing;

import io.tailrace.operators.admission.AdmittedGeneration;
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
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Does what a {@link MergePlan} says: fetches, merges, stores. Runs on side threads; touches no state. Local copies stay, so that a
 * segment is not fetched again for each merge; those in use are never evicted. A copy goes with the store's file: what it holds may have been deleted.
 */
final class SegmentMerge {
    private final ModelCatalog models;
    private final DurableStore store;
    private final SegmentFolder copies;
    private final TaskFolder scratch;
    private final MergeHeap heap;
    /** How many merges use a local copy, by its SHA-256. */
    private final Map<String, Integer> users = new HashMap<>();

    private SegmentMerge(
            ModelCatalog models, DurableStore store, SegmentFolder copies, TaskFolder scratch, MergeHeap heap) {
        this.models = models;
        this.store = store;
        this.copies = copies;
        this.scratch = scratch;
        this.heap = heap;
    }

    /** @param copiesBytesMax local copies that no merge uses go beyond it, the longest unused first */
    static SegmentMerge create(
            ModelCatalog models, DurableStore store, TaskFolder scratch, long copiesBytesMax, MergeHeap heap)
            throws IOException {
        SegmentFolder copies = new SegmentFolder(
                store.source(),
                scratch.newFolder(),
                copiesBytesMax,
                SegmentOpener.ownSegments(),
                (sha256, damage) -> {}); // of segments that are mapped; these are not
        return new SegmentMerge(models, store, copies, scratch, heap);
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
            boolean mayWait = plan.generations().isEmpty();
            inputs.add(new Compaction.Files(
                    copy(plan.lane(), input.file(), mayWait), copy(plan.lane(), input.sidecarFile(), mayWait)));
        }
        evict();
        return inputs;
    }

    /** @param mayWait what has no file at all may be another store; false: generations wait, which are not to be lost for that */
    private Path copy(String lane, SegmentFile wanted, boolean mayWait) throws IOException {
        try {
            return copies.copy(wanted, FileHash::sha256);
        } catch (CorruptSegmentException e) {
            throw new UnreadableFileException(wanted.path(), e);
        } catch (FileNotFoundException | NoSuchFileException e) {
            if (mayWait && store.list(SegmentLayout.folder(lane)).isEmpty()) {
                throw new IOException(
                        "the store holds none of the lane's files: is %s the store that they were put into?"
                                .formatted(store),
                        e);
            }
            throw new UnreadableFileException(wanted.path(), e);
        }
    }

    /**
     * Reads a file back from the store and mends it where a local copy is intact.
     *
     * @throws UnreadableFileException if the store does not give it as it was written, and there is no copy of it here
     */
    Found inspect(String lane, String path) throws IOException {
        Path folder = scratch.newFolder();
        try {
            Path fetched = folder.resolve("inspected");
            String sha256 = SegmentLayout.sha256(path);
            try {
                store.fetch(path, fetched);
                if (FileHash.sha256(fetched).equals(sha256)) {
                    return Found.INTACT;
                }
            } catch (FileNotFoundException | NoSuchFileException e) {
                // Gone: it is written again if there is a copy of it here.
            }
            SegmentFile file = new SegmentFile(path, sha256, 0);
            count(List.of(file), 1);
            try {
                Path copy = copies.here(file);
                if (copy != null && FileHash.sha256(copy).equals(sha256)) {
                    store.put(copy, path, sha256);
                    return Found.MENDED;
                }
            } finally {
                count(List.of(file), -1);
            }
            copies.discard(sha256);
            copy(lane, file, true);
            return Found.INTACT;
        } finally {
            TaskFolder.remove(folder);
        }
    }

    /** How the store gave a file back. */
    enum Found {
        /** As it was written. */
        INTACT,
        /** Damaged or not at all; it was written again. */
        MENDED
    }

    /** The store does not give a file as it was written. */
    static final class UnreadableFileException extends IOException {
        private static final long serialVersionUID = 1L;

        private final String path;

        UnreadableFileException(String path, IOException cause) {
            super("%s cannot be read: %s".formatted(path, cause), cause);
            this.path = path;
        }

        String path() {
            return path;
        }
    }

    private MergePlan.Outcome merge(MergePlan plan, List<Compaction.Files> inputs) throws IOException {
        MergeHeap.Share room = heap.take(plan);
        try {
            return mergeWithin(scratch.newFolder(), plan, inputs);
        } finally {
            room.close();
        }
    }

    private MergePlan.Outcome mergeWithin(Path folder, MergePlan plan, List<Compaction.Files> inputs)
            throws IOException {
        try {
            Compaction.Result result = Compaction.merge(
                    withGenerations(plan, inputs, folder), plan.retention(), models.identity(plan.lane()), folder);
            StoredSegment merged = null;
            if (result.files() != null) {
                merged = SegmentLayout.put(store, plan.lane(), result.files(), result.summary());
                copies.adopt(merged.file(), result.files().segment());
                copies.adopt(merged.sidecarFile(), result.files().sidecar());
            }
            return new MergePlan.Outcome(plan, merged, result.expiredTokens(), result.deletedTokens(), null);
        } catch (CorruptSegmentException | NoSuchFileException e) {
            discard(plan.inputs());
            throw e;
        } finally {
            TaskFolder.remove(folder);
        }
    }

    /** The same, and the plan's generations as a segment: a file of this merge's own, for no version names it. */
    private List<Compaction.Files> withGenerations(MergePlan plan, List<Compaction.Files> segments, Path folder)
            throws IOException {
        if (plan.generations().isEmpty()) {
            return segments;
        }
        List<Compaction.Input> generations =
                plan.generations().stream().map(AdmittedGeneration::toInput).toList();
        List<Compaction.Files> inputs = new ArrayList<>(segments);
        inputs.add(Compaction.flush(generations, models.identity(plan.lane()), folder.resolve("generations"))
                .files());
        return inputs;
    }

    private void discard(List<StoredSegment> segments) throws IOException {
        for (StoredSegment segment : segments) {
            copies.discard(segment.sha256());
            copies.discard(segment.sidecarFile().sha256());
        }
    }

    /** Removes a file from the store, its copy first: where that fails, the next sweep finds the file. False: a merge uses it. */
    boolean remove(String path) throws IOException {
        if (SegmentLayout.isSegmentFile(path)) {
            synchronized (this) {
                String sha256 = SegmentLayout.sha256(path);
                if (users.containsKey(sha256)) {
                    return false;
                }
                copies.discard(sha256);
            }
        }
        store.delete(path);
        return true;
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
