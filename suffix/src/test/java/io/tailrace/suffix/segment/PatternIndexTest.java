package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PatternIndex;
import io.tailrace.testkit.Cases;
import io.tailrace.testkit.NaiveIndex;
import io.tailrace.testkit.RandomDocuments;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatternIndexTest {
    @TempDir
    Path folder;

    @Test
    void segmentsAndFreshGenerationsCountEveryPatternExactly() {
        Cases.forEachSeed(300, seed -> {
            Random random = new Random(seed);
            RandomDocuments source = new RandomDocuments(seed, 1 + random.nextInt(6), 100_000);
            List<int[]> documents = source.documents(12, 40);
            List<Compaction.Input> generations = Generations.of(documents, random);
            NaiveIndex naive = Generations.naive(generations);
            try (Segment segment = segment(generations)) {
                FreshIndex fresh = fresh(generations);
                for (int i = 0; i < 6; i++) {
                    int[] context = source.context(documents);
                    checkCounts(segment, naive, context);
                    checkCounts(fresh, naive, context);
                }
            }
        });
    }

    private Segment segment(List<Compaction.Input> generations) throws Exception {
        Compaction.Files files =
                Compaction.flush(generations, Generations.LANE, folder).files();
        return Segment.openVerified(files.segment(), Generations.LANE);
    }

    private static FreshIndex fresh(List<Compaction.Input> generations) {
        FreshIndex fresh = new FreshIndex(1 << 20);
        generations.forEach(generation -> fresh.add(generation.answer(), 1));
        return fresh;
    }

    private static void checkCounts(PatternIndex index, NaiveIndex naive, int[] context) {
        Occurrences found = new Occurrences();
        index.occurrences(context, context.length, Integer.MAX_VALUE, 0, found);
        for (int length = 1; length <= Math.min(context.length, OccurrenceIndex.MATCH_LENGTH_MAX); length++) {
            int[] pattern = Arrays.copyOfRange(context, context.length - length, context.length);
            long count = index.endings(context, context.length, length);
            for (int i = 0; i < found.size(); i++) {
                count += found.matchLength(i) >= length ? found.text(i).copies(found.position(i)) : 0;
            }
            assertThat(count).as("COUNT of the last %d tokens", length).isEqualTo(naive.count(pattern));
        }
    }
}
