package io.tailrace.operators.indexing;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.operators.store.TaskFolder;
import io.tailrace.suffix.segment.Compaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes a memtable as a level-0 segment into the store, by way of a scratch folder. */
final class ShardFlush {
    private final ModelCatalog models;
    private final DurableStore store;
    private final TaskFolder scratch;

    ShardFlush(ModelCatalog models, DurableStore store, TaskFolder scratch) {
        this.models = models;
        this.store = store;
        this.scratch = scratch;
    }

    /** When this returns, the segment is durable. */
    StoredSegment write(String lane, List<Compaction.Input> generations) throws IOException {
        Path folder = scratch.newFolder();
        try {
            Compaction.Result result = Compaction.flush(generations, models.identity(lane), folder);
            return SegmentLayout.put(store, lane, result.files(), result.summary());
        } finally {
            TaskFolder.remove(folder);
        }
    }
}
