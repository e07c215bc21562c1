package io.tailrace.worker.draftmodel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MissChoiceTest {
    @Test
    void withoutExperienceMissesAreDraftedFor() {
        assertThat(new MissChoice().draft(1_000)).isTrue();
    }

    @Test
    void aLargeBatchDoesNotWaitForADearDraft() {
        MissChoice choice = seen(600_000);
        assertThat(choice.draft(1)).as("%s", choice).isTrue();
        int drafted = 0;
        for (int i = 0; i < 320; i++) {
            drafted += choice.draft(64) ? 1 : 0;
        }
        assertThat(drafted).as("one look in 32; %s", choice).isEqualTo(10);
    }

    @Test
    void aCheapDraftIsAlwaysWaitedFor() {
        assertThat(seen(1_000).draft(64)).isTrue();
    }

    /** Verifying takes 1 ms, nine endings in ten are foreseen, a drafted round gives three tokens. */
    private static MissChoice seen(long draftNanos) {
        MissChoice choice = new MissChoice();
        for (int i = 0; i < 640; i++) {
            choice.verified(1_000_000);
            choice.prepared(900_000);
            choice.looked(i % 10 > 0);
            choice.round(i % 10 > 0, 3);
            choice.drafted(draftNanos);
        }
        return choice;
    }
}
