package io.tailrace.operators.publishing;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.operators.store.TaskFolder;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Does what a {@link MergePlan} says: fetches, merges, stores. Runs on side threads; touches no state. */
final class SegmentMerge {
    private final ModelCatalog models;
    private final DurableStore store;
    private final SegmentCache cache;
    private final TaskFolder scratch;

    SegmentMerge(ModelCatalog models, DurableStore store, SegmentCache cache, TaskFolder scratch) {
        this.models = models;
        this.store = store;
        this.cache = cache;
        this.scratch = scratch;
    }

    /** When this returns, the merged segment is durable. */
    MergePlan.Outcome run(MergePlan plan) throws IOException {
        List<String> acquired = new ArrayList<>();
        try {
            List<SegmentFiles> inputs = new ArrayList<>();
            for (StoredSegment input : plan.inputs()) {
                inputs.add(new SegmentFiles(acquire(input.path(), acquired), acquire(input.sidecarPath(), acquired)));
            }
            return merge(plan, inputs);
        } catch (CorruptSegmentException | NoSuchFileException e) {
            for (String path : acquired) {
                cache.invalidate(path);
            }
            throw e;
        } finally {
            for (String path : acquired) {
                cache.release(path);
            }
        }
    }

    private Path acquire(String path, List<String> acquired) throws IOException {
        Path file = cache.acquire(path);
        acquired.add(path);
        return file;
    }

    private MergePlan.Outcome merge(MergePlan plan, List<SegmentFiles> inputs) throws IOException {
        Path folder = scratch.newFolder();
        try {
            Compaction.Result result = Compaction.merge(inputs, plan.retention(), models.identity(plan.lane()), folder);
            StoredSegment merged = null;
            if (result.files() != null) {
                merged = SegmentLayout.put(store, plan.lane(), result.files(), result.summary());
                cache.adopt(merged.path(), result.files().segment());
                cache.adopt(merged.sidecarPath(), result.files().sidecar());
            }
            return new MergePlan.Outcome(plan, merged, result.expiredTokens(), result.deletedTokens(), null);
        } finally {
            TaskFolder.remove(folder);
        }
    }
}
