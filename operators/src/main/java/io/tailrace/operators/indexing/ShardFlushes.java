package io.tailrace.operators.indexing;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.operators.store.TaskFolder;
import io.tailrace.suffix.segment.Compaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes memtables as level-0 segments into the store, by way of a scratch folder. Those of all shards that are due are written side by side, since a
 * store takes its time for each file: when a shard's turn comes its segment is there or on its way, unless the memtable has changed meanwhile.
 * Of the task's thread, but for the writing.
 */
final class ShardFlushes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardFlushes.class);
    private static final long CLOSE_SECONDS_MAX = 5;

    private final ModelCatalog models;
    private final DurableStore store;
    private final TaskFolder scratch;
    private final LongSupplier clockMillis;
    private final ExecutorService threads;
    private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::atMillis));
    private final Map<Shard, Begun> begun = new HashMap<>();

    /** A memtable that is durable now. */
    record Written(StoredSegment segment, long tookMillis) {}

    private record Due(Shard shard, long atMillis) {}

    private record Begun(long changes, FutureTask<Written> writing) {}

    /** @param threads closed with it */
    ShardFlushes(
            ModelCatalog models,
            DurableStore store,
            TaskFolder scratch,
            LongSupplier clockMillis,
            ExecutorService threads) {
        this.models = models;
        this.store = store;
        this.scratch = scratch;
        this.clockMillis = clockMillis;
        this.threads = threads;
    }

    /** A shard is to be flushed then. */
    void due(Shard shard, long atMillis) {
        due.add(new Due(shard, atMillis));
    }

    /** Begins to write all shards that are due by now. */
    void begin(long nowMillis) {
        while (!due.isEmpty() && due.peek().atMillis <= nowMillis) {
            Shard shard = due.poll().shard;
            Begun before = begun.get(shard);
            boolean isBegun = before != null && before.changes == shard.index().changes();
            if (!isBegun && !shard.index().isEmpty() && models.serves(shard.laneId())) {
                Begun writing = writing(shard);
                begun.put(shard, writing);
                threads.execute(writing.writing);
            }
        }
    }

    private Begun writing(Shard shard) {
        List<Compaction.Input> generations = shard.index().inputs();
        return new Begun(shard.index().changes(), new FutureTask<>(() -> write(shard.lane(), generations)));
    }

    /** When this returns, the segment of the shard's memtable is durable. */
    Written write(Shard shard) throws IOException, InterruptedException {
        Begun writing = begun.remove(shard);
        if (writing == null || writing.changes != shard.index().changes()) {
            writing = writing(shard);
        }
        writing.writing.run(); // unless a thread has begun to
        try {
            return writing.writing.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            throw new IOException(e.getCause().getMessage(), e.getCause());
        }
    }

    private Written write(String lane, List<Compaction.Input> generations) throws IOException {
        long begunAt = clockMillis.getAsLong();
        Path folder = scratch.newFolder();
        try {
            Compaction.Result result = Compaction.flush(generations, models.identity(lane), folder);
            StoredSegment segment = SegmentLayout.put(store, lane, result.files(), result.summary());
            return new Written(segment, clockMillis.getAsLong() - begunAt);
        } finally {
            TaskFolder.remove(folder);
        }
    }

    /** What is being written is given up. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("the store has not let go of what was being flushed within {} s", CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
