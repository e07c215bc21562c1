package io.tailrace.operators.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.SideThreads;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.Tombstone;
import io.tailrace.operators.control.Tombstones;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FaultyStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.operators.store.TaskFolder;
import io.tailrace.suffix.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random lives of a task's shards: whatever was begun ahead, what is written is the memtable as it is, without what was deleted since. */
class ShardFlushesTest {
    private static final int SEEDS = 300;
    private static final int STEPS = 40;
    private static final IndexingOptions OPTIONS =
            new IndexingOptions(1 << 16, 500, 1 << 22, 3_600_000, 1 << 15, IndexingOptions.Quotas.NONE, 8);

    @TempDir
    private Path folder;

    @AfterEach
    void mend() {
        FaultyStore.failNext(0);
    }

    @Test
    void whatIsWrittenIsTheMemtableAsItIs() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            try (DurableStore store = FaultyStore.around(FlinkFileStore.factory(folder.toUri()))
                            .open();
                    TaskFolder scratch = TaskFolder.create(folder.toString(), "shards");
                    ShardFlushes flushes = new ShardFlushes(
                            Samples.MODELS,
                            store,
                            scratch,
                            () -> 0,
                            SideThreads.daemons(3, "flush").open())) {
                List<Shard> shards = IntStream.range(0, 1 + random.nextInt(6))
                        .mapToObj(number ->
                                new Shard(Samples.LANE + "#" + number, OPTIONS, new UnregisteredMetricsGroup()))
                        .toList();
                live(random, shards, flushes, seed);
            }
        }
    }

    private void live(Random random, List<Shard> shards, ShardFlushes flushes, int seed) throws Exception {
        int requests = 0;
        for (int now = 0; now < STEPS; now++) {
            Shard shard = shards.get(random.nextInt(shards.size()));
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    int[] tokens = random.ints(1 + random.nextInt(9), 0, 50).toArray();
                    shard.index().offer(generation(shard, "r" + requests++, tokens), new Tombstones(List.of()));
                    flushes.due(shard, now + random.nextInt(4));
                }
                case 2 -> flushes.begin(now);
                case 3 -> FaultyStore.failNext(random.nextInt(2));
                case 4 -> shard.index().delete(deleted("r" + random.nextInt(1 + requests)));
                default -> write(shard, flushes, seed);
            }
        }
        FaultyStore.failNext(0);
        for (Shard shard : shards) {
            while (!write(shard, flushes, seed)) {
                assertThat(shard.index().isEmpty()).isFalse();
            }
        }
    }

    /** False if the store failed. */
    private boolean write(Shard shard, ShardFlushes flushes, int seed) throws Exception {
        if (shard.index().isEmpty()) {
            return true;
        }
        List<String> expected = shard.index().memtable().stream()
                .map(generation -> Arrays.toString(generation.tokens()))
                .distinct() // equal answers are one document
                .toList();
        StoredSegment written;
        try {
            written = flushes.write(shard).segment();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("injected");
            return false;
        }
        shard.index().flushed(written);
        assertThat(documents(written)).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
        return true;
    }

    private static AdmittedGeneration generation(Shard shard, String request, int[] tokens) {
        return Samples.generation(Samples.LANE, shard.number(), request, 1, tokens);
    }

    private static Tombstones deleted(String request) {
        return new Tombstones(List.of(Tombstone.of(Samples.deleteRequest("d", "acme", request, 1), 1, 0)));
    }

    private List<String> documents(StoredSegment stored) throws IOException {
        List<String> documents = new ArrayList<>();
        try (Segment segment =
                Segment.openVerified(folder.resolve(stored.path()), Samples.MODELS.identity(Samples.LANE))) {
            for (int document = 0; document < segment.documents(); document++) {
                documents.add(Arrays.toString(segment.answer(document).tokens()));
            }
        }
        return documents;
    }
}
