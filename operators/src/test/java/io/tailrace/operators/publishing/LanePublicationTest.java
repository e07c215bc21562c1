package io.tailrace.operators.publishing;

import org.junit.jupiter.api.Test;

/**
 * The publisher's brain under random lives of a lane ({@link RandomLaneLife}). Segments are sets of documents in memory; the books must
 * balance after each step, and nothing may leave but for a reason that holds.
 */
final class LanePublicationTest {
    private static final int LIVES = 150;

    @Test
    void theBooksBalanceAndDeletesHoldThroughManyRandomLives() {
        for (long seed = 1; seed <= LIVES; seed++) {
            new RandomLaneLife(seed).live();
        }
    }
}
