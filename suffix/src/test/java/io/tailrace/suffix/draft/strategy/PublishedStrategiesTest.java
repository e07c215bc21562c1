package io.tailrace.suffix.draft.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.lane.LaneIndex;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedStrategiesTest {
    @Test
    void noneDraftsNothing() {
        assertThat(path(new NoDrafter(), 16, 1, 1, 1, 1)).isEmpty();
    }

    @Test
    void promptLookupCopiesWhatFollowedTheLastThreeTokens() {
        assertThat(path(new PromptLookupDrafter(3, 2), 16, 1, 2, 3, 4, 5, 9, 1, 2, 3))
                .containsExactly(4, 5);
    }

    @Test
    void promptLookupTakesTheEarliestOfSeveralPlaces() {
        assertThat(path(new PromptLookupDrafter(3, 1), 16, 1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 3))
                .containsExactly(4);
    }

    @Test
    void promptLookupPrefersALongerMatchToAnEarlierOne() {
        assertThat(path(new PromptLookupDrafter(3, 1), 16, 3, 8, 2, 3, 7, 1, 2, 3, 6, 1, 2, 3))
                .containsExactly(6);
    }

    @Test
    void promptLookupFallsBackToShorterMatchesAndThenToNothing() {
        assertThat(path(new PromptLookupDrafter(3, 1), 16, 3, 8, 1, 3)).containsExactly(8);
        assertThat(path(new PromptLookupDrafter(3, 1), 16, 1, 2, 3)).isEmpty();
    }

    @Test
    void promptLookupWantsAFullContinuation() {
        assertThat(path(new PromptLookupDrafter(3, 4), 16, 1, 2, 7, 1, 2)).isEmpty();
        assertThat(path(new PromptLookupDrafter(3, 4), 2, 1, 2, 7, 1, 2)).containsExactly(7, 1);
    }

    @Test
    void promptLookupSeesVerifiedTokens() {
        PromptLookupDrafter drafter = new PromptLookupDrafter(3, 2);
        drafter.begin(new int[] {1, 2}, 2);
        drafter.verified(new int[] {3, 4, 1}, 3);
        drafter.verified(new int[] {2}, 1);
        assertThat(tokens(drafter.draft(LaneIndex.EMPTY, 8))).containsExactly(3, 4);
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new PromptLookupDrafter(0, 10)).hasMessageContaining("got 0 and 10");
        assertThatThrownBy(() -> new PromptLookupDrafter(3, 65)).hasMessageContaining("got 3 and 65");
    }

    private static List<Integer> path(Drafter drafter, int budget, int... context) {
        drafter.begin(context, context.length);
        return tokens(drafter.draft(LaneIndex.EMPTY, budget));
    }

    private static List<Integer> tokens(Draft draft) {
        List<Integer> tokens = new ArrayList<>();
        for (int node = 0; node < draft.size(); node++) {
            assertThat(draft.parent(node)).isEqualTo(node - 1);
            tokens.add(draft.token(node));
        }
        return tokens;
    }
}
