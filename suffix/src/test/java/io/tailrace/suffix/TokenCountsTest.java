package io.tailrace.suffix;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenCountsTest {
    @Test
    void countsAreThoseOfADullSum() {
        Cases.forEachSeed(300, seed -> {
            Random random = new Random(seed);
            int idMax = List.of(1, 7, 500, TokenCounts.TOKENS_MAX).get(random.nextInt(4));
            TokenCounts counts = new TokenCounts();
            Map<Integer, int[]> sums = new HashMap<>();
            int documents = 0;
            for (int i = random.nextInt(60); i > 0; i--) {
                int token = random.nextInt(idMax);
                int[] times = {
                    1 + random.nextInt(9), random.nextInt(5), random.nextInt(3), random.nextInt(5), random.nextInt(3)
                };
                counts.add(token, times[0], times[1], times[2]);
                counts.addAfter(token, times[3], times[4]);
                sums.merge(token, times, TokenCountsTest::sum);
                counts.addDocuments(i);
                documents += i;
            }
            assertThat(counts.documents()).isEqualTo(documents);
            assertThat(counts.distinct()).isEqualTo(sums.size());
            for (int token = 0; token < counts.tokens(); token++) {
                int[] expected = sums.getOrDefault(token, new int[5]);
                assertThat(new int[] {
                            counts.said(token),
                            counts.known(token),
                            counts.copied(token),
                            counts.knownAfter(token),
                            counts.copiedAfter(token)
                        })
                        .as("token %d", token)
                        .isEqualTo(expected);
            }
            assertThat(sums.keySet()).allMatch(token -> token < counts.tokens());
        });
    }

    @Test
    void whatIsNoTokenIsNotCounted() {
        TokenCounts counts = new TokenCounts();
        for (int token : new int[] {-1, Integer.MIN_VALUE, TokenCounts.TOKENS_MAX, Integer.MAX_VALUE}) {
            counts.add(token, 1, 1, 1);
            counts.addAfter(token, 1, 1);
        }
        assertThat(counts.distinct()).isZero();
        assertThat(counts.tokens()).isZero();
        counts.add(TokenCounts.TOKENS_MAX - 1, 1, 0, 0);
        assertThat(counts.tokens()).isEqualTo(TokenCounts.TOKENS_MAX);
    }

    private static int[] sum(int[] a, int[] b) {
        return IntStream.range(0, a.length).map(i -> a[i] + b[i]).toArray();
    }
}
