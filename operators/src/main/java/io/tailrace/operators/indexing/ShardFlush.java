package io.tailrace.operators.indexing;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.store.ScratchFolder;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.store.SegmentStore;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.suffix.segment.Compaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes a memtable as a level-0 segment into the store, by way of a scratch folder. */
final class ShardFlush {
    private final ModelCatalog models;
    private final SegmentStore store;
    private final ScratchFolder scratch;

    ShardFlush(ModelCatalog models, SegmentStore store, ScratchFolder scratch) {
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
            ScratchFolder.remove(folder);
        }
    }
}
