package io.tailrace.suffix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenSlotsTest {
    private static final int VOCABULARY = 152_000;
    private static final int TOKENS = 32_768;

    /** Tokens in the order of the slots that a function without a seed would give them: in a table half full. */
    @Test
    void aPromptThatIsOrderedByAKnownFunctionCrowdsNowhere() {
        int mask = 2 * TOKENS - 1;
        int[] crowded = IntStream.range(0, VOCABULARY)
                .boxed()
                .sorted(Comparator.comparingInt(token -> known(token) & mask))
                .mapToInt(Integer::intValue)
                .limit(TOKENS)
                .toArray();
        assertThat(tries(crowded, mask, TokenSlotsTest::known)).isGreaterThan(1_000L * TOKENS);
        assertThat(tries(crowded, mask, token -> TokenSlots.slot(token, mask))).isLessThan(4L * TOKENS);
        assertThat(tries(crowded, mask, token -> TokenSlots.slot(0, token, mask)))
                .isLessThan(4L * TOKENS);
    }

    /** Slots looked at until each token has one of its own; 1.5 a token where nothing crowds. */
    private static long tries(int[] tokens, int mask, IntUnaryOperator first) {
        boolean[] taken = new boolean[mask + 1];
        long tries = 0;
        for (int token : tokens) {
            int slot = first.applyAsInt(token) & mask;
            tries++;
            while (taken[slot]) {
                slot = (slot + 1) & mask;
                tries++;
            }
            taken[slot] = true;
        }
        return tries;
    }

    @Test
    void tokensSpreadOverATable() {
        for (int mask : new int[] {63, 1023, 65_535}) {
            int[] of = new int[mask + 1];
            int[] ofOwners = new int[mask + 1];
            for (int i = 0; i <= mask; i++) {
                of[TokenSlots.slot(i, mask)]++;
                ofOwners[TokenSlots.slot(i, 7, mask)]++;
            }
            assertThat(Arrays.stream(of).max().orElseThrow()).isLessThan(20);
            assertThat(Arrays.stream(ofOwners).max().orElseThrow()).isLessThan(20);
            assertThat(Arrays.stream(of).filter(count -> count == 0).count()).isBetween(mask / 4L, mask / 2L);
        }
    }

    private static int known(int token) {
        int h = token * 0x85EBCA6B;
        return h ^ h >>> 15;
    }
}
