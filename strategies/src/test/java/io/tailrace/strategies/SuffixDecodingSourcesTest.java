package io.tailrace.strategies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.PatternIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.testkit.Cases;
import io.tailrace.testkit.RandomDocuments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuffixDecodingSourcesTest {
    private static final SegmentIdentity LANE = new SegmentIdentity("llama@1/acme", Integer.MAX_VALUE, "tokenizer-1");

    @TempDir
    Path folder;

    @Test
    void suffixDecodingScoresTheSameOnASegmentAsOnFreshGenerations() {
        Cases.forEachSeed(300, seed -> {
            Random random = new Random(seed);
            RandomDocuments source = new RandomDocuments(seed, 1 + random.nextInt(6), 1_000);
            List<int[]> documents = source.documents(12, 40);
            try (Segment segment = segment(documents, random)) {
                FreshIndex fresh = fresh(documents);
                for (int i = 0; i < 6; i++) {
                    int[] context = source.context(documents);
                    int budget = 1 + random.nextInt(20);
                    assertThat(score(segment, context, budget)).isCloseTo(score(fresh, context, budget), within(1e-4));
                }
            }
        });
    }

    private Segment segment(List<int[]> documents, Random random) throws Exception {
        List<Compaction.Input> generations = new ArrayList<>();
        for (int[] tokens : documents) {
            generations.add(new Compaction.Input(
                    new GenerationEntry(random.nextLong(), random.nextLong(), "p", random.nextInt(20)), tokens));
        }
        Compaction.Files files = Compaction.flush(generations, LANE, folder).files();
        return Segment.openVerified(files.segment(), LANE);
    }

    private static FreshIndex fresh(List<int[]> documents) {
        FreshIndex fresh = new FreshIndex(1 << 20);
        documents.forEach(document -> fresh.add(document, 1));
        return fresh;
    }

    private static double score(PatternIndex index, int[] context, int budget) {
        Drafter drafter = new SuffixDecodingDrafter(SuffixDecoding.Settings.best());
        drafter.begin(context, context.length);
        Draft draft = drafter.draft(new LaneIndex(List.of(), index, null), budget);
        double score = 0;
        for (int node = 0; node < draft.size(); node++) {
            score += draft.probability(node);
        }
        return score;
    }
}
