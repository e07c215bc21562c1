package io.tailrace.suffix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenSlotsTest {
    private static final int VOCABULARY = 152_000;
    private static final int TOKENS = 32_768;

    /** Tokens in the order of the slots that a function without a seed would give them. */
    @Test
    void aPromptThatIsOrderedByAKnownFunctionIsTakenInQuickly() {
        int[] crowded = IntStream.range(0, VOCABULARY)
                .boxed()
                .sorted(Comparator.comparingInt(token -> known(token) & 2 * TOKENS - 1))
                .mapToInt(Integer::intValue)
                .limit(TOKENS)
                .toArray();
        ContextAutomaton automaton = new ContextAutomaton();
        long begun = System.nanoTime();
        for (int token : crowded) {
            automaton.append(token);
        }
        long millis = (System.nanoTime() - begun) / 1_000_000;
        automaton.checkInvariants();
        assertThat(millis).as("in one stretch they would take seconds").isLessThan(1_000);
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
