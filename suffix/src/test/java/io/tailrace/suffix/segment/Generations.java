package io.tailrace.suffix.segment;

import io.tailrace.testkit.NaiveIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Generations and identities for tests. */
final class Generations {
    static final SegmentIdentity LANE = new SegmentIdentity("llama@1/acme", Integer.MAX_VALUE, "tokenizer-1");

    private Generations() {}

    static List<Compaction.Input> of(List<int[]> documents, Random random) {
        List<Compaction.Input> generations = new ArrayList<>();
        for (int[] tokens : documents) {
            generations.add(new Compaction.Input(entry(random), tokens));
        }
        return generations;
    }

    static GenerationEntry entry(Random random) {
        return new GenerationEntry(random.nextLong(), random.nextLong(), "p" + random.nextInt(3), random.nextInt(20));
    }

    static Compaction.Input generation(long completedAtMillis, int... tokens) {
        return new Compaction.Input(new GenerationEntry(1, completedAtMillis, "p", completedAtMillis), tokens);
    }

    static NaiveIndex naive(List<Compaction.Input> generations) {
        NaiveIndex naive = new NaiveIndex();
        generations.forEach(generation -> naive.add(generation.tokens()));
        return naive;
    }
}
