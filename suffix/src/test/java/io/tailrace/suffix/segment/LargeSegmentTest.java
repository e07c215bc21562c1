package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.NearestOracle;
import io.tailrace.testkit.NaiveIndex;
import io.tailrace.testkit.RandomDocuments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A segment of 20M tokens: the size a large lane has. The test's JVM has a heap of 1 GiB, documents included. */
@Tag("full")
class LargeSegmentTest {
    private static final long TOKENS = 20_000_000;
    private static final int VOCABULARY = 100_000;
    private static final double BYTES_A_TOKEN_MAX = 10;
    private static final long SEED = 11;

    @TempDir
    Path folder;

    @Test
    void segmentOfTwentyMillionTokensAnswersLikeTheNaiveIndex() throws Exception {
        Random random = new Random(SEED);
        List<int[]> documents = documents(random);
        List<Compaction.Input> generations = Generations.of(documents, random);
        Compaction.Result built = Compaction.flush(generations, Generations.LANE, folder);
        assertThat(built.summary().liveTokens())
                .isEqualTo(documents.stream().mapToLong(tokens -> tokens.length).sum());
        assertThat((double) Files.size(built.files().segment())
                        / built.summary().textTokens())
                .isLessThanOrEqualTo(BYTES_A_TOKEN_MAX);
        NaiveIndex naive = new NaiveIndex();
        documents.forEach(naive::add);
        try (Segment segment = Segment.openVerified(built.files().segment(), Generations.LANE)) {
            for (int i = 0; i < 20; i++) {
                int[] document = documents.get(random.nextInt(documents.size()));
                int end = 1 + random.nextInt(document.length);
                int[] context = Arrays.copyOfRange(document, Math.max(0, end - 1 - random.nextInt(40)), end);
                assertThat(segment.count(context))
                        .as("seed %d, case %d", SEED, i)
                        .isEqualTo(naive.count(context));
                NearestOracle.check(segment, naive, context, 16);
            }
        }
    }

    /** Fresh text and copied stretches, half and half, as answers are. */
    private static List<int[]> documents(Random random) {
        RandomDocuments source = new RandomDocuments(SEED, VOCABULARY, VOCABULARY - 1);
        List<int[]> documents = new ArrayList<>();
        long tokens = 0;
        while (tokens < TOKENS) {
            int[] document = source.tokens(50 + random.nextInt(400));
            if (!documents.isEmpty()) {
                int[] earlier = documents.get(random.nextInt(documents.size()));
                int copied = Math.min(earlier.length, document.length / 2);
                System.arraycopy(earlier, 0, document, document.length - copied, copied);
            }
            documents.add(document);
            tokens += document.length;
        }
        return documents;
    }
}
