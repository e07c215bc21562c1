package io.tailrace.worker.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopTokensTest {
    /** Many equal ones among them, and some that are no likelier than nothing. */
    @Test
    void theyAreTheFirstOfTheSortedRowHoweverItIsCut() {
        Cases.forEachSeed(3_000, seed -> {
            Random random = new Random(seed);
            float[] row = row(random, 1 + random.nextInt(200));
            int wanted = 1 + random.nextInt(Math.min(row.length, 12));
            int[] expected = IntStream.range(0, row.length)
                    .boxed()
                    .sorted(Comparator.comparing((Integer token) -> -row[token]))
                    .mapToInt(Integer::intValue)
                    .limit(wanted)
                    .toArray();
            int[] tokens = new int[wanted];
            float[] logits = new float[wanted + random.nextInt(3)];
            TopTokens top = new TopTokens(tokens, logits);
            for (int from = 0; from < row.length; ) {
                int count = 1 + random.nextInt(row.length - from);
                float[] piece = Arrays.copyOfRange(row, from, from + count + random.nextInt(3));
                top.add(piece, count, from);
                from += count;
            }
            assertThat(tokens).isEqualTo(expected);
            for (int place = 0; place < wanted; place++) {
                assertThat(logits[place]).isEqualTo(row[tokens[place]]);
            }
        });
    }

    private static float[] row(Random random, int length) {
        int levels = 1 + random.nextInt(50);
        float[] row = new float[length];
        for (int token = 0; token < length; token++) {
            row[token] = random.nextInt(9) == 0 ? Float.NEGATIVE_INFINITY : random.nextInt(levels) - levels / 2;
        }
        return row;
    }
}
