package io.tailrace.operators.publishing;

import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.suffix.segment.Compaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Shards as their lanes' publisher knows them: each flush is a level-0 segment in the store and a report of it. */
final class FlushingShards {
    private final Path folder;
    private final Map<Integer, ShardProgress.Counters> counters = new HashMap<>();

    /** @param folder the store's */
    FlushingShards(Path folder) {
        this.folder = folder;
    }

    /** A shard flushes generations of one lane. */
    ShardProgress flush(int shard, AdmittedGeneration... generations) throws Exception {
        String lane = generations[0].lane();
        Path work = Files.createDirectories(folder.resolve("shard-work-" + System.nanoTime()));
        var result = Compaction.flush(
                Arrays.stream(generations).map(AdmittedGeneration::toInput).toList(),
                Samples.MODELS.identity(lane),
                work);
        StoredSegment stored = SegmentLayout.put(
                FlinkFileStore.factory(folder.toUri()).open(), lane, result.files(), result.summary());
        long tokens =
                Arrays.stream(generations).mapToLong(g -> g.tokens().length).sum();
        ShardProgress.Counters before = counters.getOrDefault(shard, ShardProgress.Counters.ZERO);
        ShardProgress.Counters after = new ShardProgress.Counters(
                before.recordsAdmitted() + generations.length, 0, 0, before.tokensAdmitted() + tokens, 0);
        counters.put(shard, after);
        long[] times = Arrays.stream(generations)
                .mapToLong(AdmittedGeneration::completedAt)
                .toArray();
        return new ShardProgress(
                lane, shard, after, 0, new ShardProgress.Flushed(stored, times, Map.of(0, before.recordsAdmitted())));
    }
}
