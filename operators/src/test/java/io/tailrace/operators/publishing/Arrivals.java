package io.tailrace.operators.publishing;

import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.intake.ShardProgress;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.suffix.segment.Compaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Shards as their lanes' publisher knows them. */
final class Arrivals {
    private final Map<Integer, ShardProgress.Counters> counters = new HashMap<>();

    /** A shard passes a generation on. */
    ShardProgress of(int shard, AdmittedGeneration generation) {
        ShardProgress.Counters before = counters.getOrDefault(shard, ShardProgress.Counters.ZERO);
        int tokens = generation.tokens().length;
        ShardProgress.Counters after =
                new ShardProgress.Counters(before.recordsAdmitted() + 1, 0, 0, before.tokensAdmitted() + tokens, 0);
        counters.put(shard, after);
        return new ShardProgress(generation.lane(), shard, after, generation);
    }

    /**
     * A segment of generations of one lane.
     *
     * @param folder of the store that it is put into
     */
    static LiveSegment segment(Path folder, AdmittedGeneration... generations) throws Exception {
        String lane = generations[0].lane();
        Path work = Files.createDirectories(folder.resolve("segment-work-" + System.nanoTime()));
        var result = Compaction.flush(
                Arrays.stream(generations).map(AdmittedGeneration::toInput).toList(),
                Samples.MODELS.identity(lane),
                work);
        var store = FlinkFileStore.factory(folder.toUri()).open();
        return new LiveSegment(SegmentLayout.put(store, lane, result.files(), result.summary()), 0, 0, 0, 0);
    }
}
