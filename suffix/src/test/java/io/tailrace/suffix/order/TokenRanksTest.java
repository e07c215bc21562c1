package io.tailrace.suffix.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenRanksTest {
    /** Ids of few and of many times the length, so that both ways of ranking are taken. */
    @Test
    void ranksAreThoseAmongTheSortedTokens() {
        Cases.forEachSeed(2000, seed -> {
            Random random = new Random(seed);
            int length = random.nextInt(200);
            int times = List.of(1, 3, 4, 5, 63, 64, 65, 2000, 10_000_000).get(random.nextInt(9));
            int tokens = 1 + (1 + length) * times;
            int[] text = random.ints(length + 1, -1, tokens).toArray();
            TreeSet<Integer> distinct = IntStream.of(text)
                    .limit(length)
                    .filter(token -> token >= 0)
                    .boxed()
                    .collect(Collectors.toCollection(TreeSet::new));
            TokenRanks ranks = TokenRanks.of(text, length);
            assertThat(ranks.distinct()).isEqualTo(distinct.size());
            assertThat(ranks.ranks())
                    .isEqualTo(IntStream.rangeClosed(0, length)
                            .map(i -> i == 0 || text[i - 1] < 0
                                    ? 0
                                    : distinct.headSet(text[i - 1], true).size())
                            .toArray());
        });
    }
}
