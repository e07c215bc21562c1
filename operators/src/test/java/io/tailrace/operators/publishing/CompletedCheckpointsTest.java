package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompletedCheckpointsTest {
    private final CompletedCheckpoints checkpoints = new CompletedCheckpoints();

    @Test
    void whatTheNewestThatIsCompleteMayNameStays() {
        assertThat(checkpoints.to()).isEqualTo(Long.MAX_VALUE);
        checkpoints.taken(7, 1_000);
        assertThat(checkpoints.to())
                .as("the job may go back to what it was restored from")
                .isEqualTo(Long.MIN_VALUE);
        checkpoints.complete(7);
        assertThat(checkpoints.to()).as("the next may never be taken").isEqualTo(1_000);
        checkpoints.taken(8, 2_000);
        assertThat(checkpoints.to()).isEqualTo(1_000);
    }

    /** One that failed is never heard of again. */
    @Test
    void thoseThatNeverCompleteCountNoMoreAfterTheNextThatDoes() {
        for (long id = 1; id <= 5; id++) {
            checkpoints.taken(id, 1_000 * id);
        }
        assertThat(checkpoints.to()).isEqualTo(Long.MIN_VALUE);
        checkpoints.complete(4);
        assertThat(checkpoints.to()).isEqualTo(4_000);
        checkpoints.complete(3);
        assertThat(checkpoints.to()).as("it is heard late").isEqualTo(4_000);
        checkpoints.complete(5);
        assertThat(checkpoints.to()).isEqualTo(5_000);
    }
}
