package io.tailrace.worker.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopTokensTest {
    private final TopTokens top = new TopTokens();

    /** Many equal ones among them, and some that are no likelier than nothing. */
    @Test
    void theyAreTheFirstOfTheSortedRowHoweverItIsCut() {
        Cases.forEachSeed(3_000, seed -> {
            Random random = new Random(seed);
            float[] row = row(random, 1 + random.nextInt(seed % 3 == 0 ? 2_000 : 200));
            int wanted = 1 + random.nextInt(Math.min(row.length, 12));
            float[] sorted = row.clone();
            Arrays.sort(sorted);
            int[] tokens = new int[wanted];
            float[] logits = new float[wanted + random.nextInt(3)];
            top.begin(tokens, logits);
            for (int from = 0; from < row.length; ) {
                int count = 1 + random.nextInt(row.length - from);
                float[] piece = Arrays.copyOfRange(row, from, from + count + random.nextInt(3));
                top.add(piece, count, from);
                from += count;
            }
            assertThat(Arrays.stream(tokens)).doesNotHaveDuplicates();
            for (int place = 0; place < wanted; place++) {
                assertThat(logits[place]).isEqualTo(sorted[row.length - 1 - place]);
                assertThat(row[tokens[place]]).isEqualTo(logits[place]);
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
