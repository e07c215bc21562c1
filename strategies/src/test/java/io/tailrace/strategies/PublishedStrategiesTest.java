package io.tailrace.strategies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.strategy.StrategyChoice;
import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PublishedStrategiesTest {
    @Test
    void noneDraftsNothing() {
        assertThat(path(StrategyChoice.parse("none").drafter(new float[0]), 16, 1, 1, 1, 1))
                .isEmpty();
    }

    @Test
    void promptLookupCopiesWhatFollowedTheLastThreeTokens() {
        assertThat(path(promptLookup(3, 2), 16, 1, 2, 3, 4, 5, 9, 1, 2, 3)).containsExactly(4, 5);
    }

    @Test
    void promptLookupTakesTheEarliestOfSeveralPlaces() {
        assertThat(path(promptLookup(3, 1), 16, 1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 3))
                .containsExactly(4);
    }

    @Test
    void promptLookupPrefersALongerMatchToAnEarlierOne() {
        assertThat(path(promptLookup(3, 1), 16, 3, 8, 2, 3, 7, 1, 2, 3, 6, 1, 2, 3))
                .containsExactly(6);
    }

    @Test
    void promptLookupFallsBackToShorterMatchesAndThenToNothing() {
        assertThat(path(promptLookup(3, 1), 16, 3, 8, 1, 3)).containsExactly(8);
        assertThat(path(promptLookup(3, 1), 16, 1, 2, 3)).isEmpty();
    }

    @Test
    void promptLookupWantsAFullContinuation() {
        assertThat(path(promptLookup(3, 4), 16, 1, 2, 7, 1, 2)).isEmpty();
        assertThat(path(promptLookup(3, 4), 2, 1, 2, 7, 1, 2)).containsExactly(7, 1);
    }

    @Test
    void promptLookupSeesVerifiedTokens() {
        PromptLookupDrafter drafter = promptLookup(3, 2);
        drafter.begin(new int[] {1, 2}, 2);
        drafter.verified(new int[] {3, 4, 1}, 3);
        drafter.verified(new int[] {2}, 1);
        assertThat(tokens(drafter.draft(LaneIndex.EMPTY, 8))).containsExactly(3, 4);
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> promptLookup(0, 10)).hasMessageContaining("got 0 and 10");
        assertThatThrownBy(() -> promptLookup(3, 65)).hasMessageContaining("got 3 and 65");
    }

    @Test
    void promptLookupTakesNoContinuationThatBeginsInTheTokensItLooksFor() {
        assertThat(path(promptLookup(3, 1), 16, 5, 5, 5, 5)).containsExactly(5);
        assertThat(path(promptLookup(3, 1), 16, 7, 7)).isEmpty();
    }

    @Test
    void withoutWholeContinuationsTheEarliestPlaceIsTakenAndWhatThereIs() {
        PromptLookupDrafter drafter = new PromptLookupDrafter(new PromptLookup.Settings(2, 10, false));
        assertThat(path(drafter, 16, 1, 2, 7, 1, 2)).containsExactly(7, 1, 2);
        assertThat(path(drafter, 1, 1, 2, 7, 1, 2)).containsExactly(7);
        assertThat(path(drafter, 16, 1, 1)).containsExactly(1);
    }

    @Test
    void promptLookupFindsWhatADullSearchFinds() {
        Cases.forEachSeed(2000, seed -> {
            Random random = new Random(seed);
            int[] context = random.ints(1 + random.nextInt(40), 0, 4).toArray();
            PromptLookup.Settings settings =
                    new PromptLookup.Settings(1 + random.nextInt(4), 1 + random.nextInt(8), random.nextBoolean());
            int budget = 1 + random.nextInt(8);
            assertThat(path(new PromptLookupDrafter(settings), budget, context))
                    .isEqualTo(dull(settings, Math.min(budget, settings.draftTokens()), context));
        });
    }

    private static List<Integer> dull(PromptLookup.Settings settings, int wanted, int[] context) {
        for (int n = Math.min(settings.ngramMax(), context.length); n > 0; n--) {
            for (int start = 0; start + n < context.length; start++) {
                List<Integer> following = new ArrayList<>();
                for (int i = start + n; i < context.length && following.size() < wanted; i++) {
                    following.add(context[i]);
                }
                boolean fits = !settings.whole() || (following.size() == wanted && start + n < context.length - n);
                if (fits && Arrays.equals(context, start, start + n, context, context.length - n, context.length)) {
                    return following;
                }
            }
        }
        return List.of();
    }

    private static PromptLookupDrafter promptLookup(int ngramMax, int draftTokens) {
        return new PromptLookupDrafter(new PromptLookup.Settings(ngramMax, draftTokens, true));
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
