package io.tailrace.suffix;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RememberedAnswerTest {
    @Test
    void aTokenIsCopiedIfItStoodInThePromptOrEarlierInTheAnswer() {
        Cases.forEachSeed(5000, seed -> {
            Random random = new Random(seed);
            int[] prompt = tokens(random, random.nextInt(80));
            int[] tokens = tokens(random, random.nextInt(80));
            Set<Integer> seen = new HashSet<>();
            for (int token : prompt) {
                seen.add(token);
            }
            BitSet copied = new BitSet();
            for (int i = 0; i < tokens.length; i++) {
                copied.set(i, seen.contains(tokens[i]));
                seen.add(tokens[i]);
            }
            assertThat(RememberedAnswer.of(prompt, 3, tokens).copied()).isEqualTo(copied);
        });
    }

    @Test
    void withoutAPromptNobodyKnowsWhatIsCopied() {
        assertThat(RememberedAnswer.of(new int[] {1, 1}).copied()).isNull();
        assertThat(new RememberedAnswer(new int[] {1}, new int[] {1, 1}).copied())
                .isNull();
    }

    /** Small ids, those around the largest that have a bit, huge ids, and ids that differ in high bits alone. */
    private static int[] tokens(Random random, int count) {
        return switch (random.nextInt(5)) {
            case 0 -> random.ints(count, 0, 30).toArray();
            case 3 -> random.ints(count, (1 << 20) - 70, 1 << 20).toArray();
            case 4 -> random.ints(count, (1 << 20) - 9, (1 << 20) + 9).toArray();
            case 1 ->
                random.ints(count, Integer.MAX_VALUE - 10, Integer.MAX_VALUE)
                        .map(token -> token + 1)
                        .toArray();
            default ->
                random.ints(count, 0, 30)
                        .map(token -> (token << 25) & Integer.MAX_VALUE)
                        .toArray();
        };
    }
}
