package io.tailrace.strategies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Hand-worked examples, numbers as in the settings' javadoc. */
class SuffixDecodingDrafterTest {
    private static final SuffixDecoding.Settings OPEN = new SuffixDecoding.Settings(64, 1000, 0, 0, true, true, 1000);
    private static final SuffixDecoding.Settings LINE = new SuffixDecoding.Settings(64, 1000, 0, 0, false, true, 1000);

    @Test
    void aTreeGrowsByWhatFollowedAndHowOften() {
        // After 1: three times 2 (twice then 3, once 4), once 5.
        LaneIndex lane = lane(new int[] {1, 2, 3}, new int[] {1, 2, 3}, new int[] {1, 2, 4}, new int[] {1, 5});
        Draft draft = draft(OPEN, lane, 10, 9, 1);
        assertNode(draft, 0, 2, -1, 3 / 4f);
        assertNode(draft, 1, 3, 0, 2 / 4f);
        assertNode(draft, 2, 5, -1, 1 / 4f);
        assertNode(draft, 3, 4, 0, 1 / 4f);
        assertThat(draft.size()).isEqualTo(4);
        assertThat(draft.source(0)).isEqualTo(SourceKind.NEWEST);
    }

    @Test
    void aPathFollowsTheLikeliestChildOnly() {
        LaneIndex lane = lane(new int[] {1, 2, 3}, new int[] {1, 2, 3}, new int[] {1, 2, 4}, new int[] {1, 5});
        Draft draft = draft(LINE, lane, 10, 9, 1);
        assertNode(draft, 0, 2, -1, 3 / 4f);
        assertNode(draft, 1, 3, 0, 2 / 4f);
        assertThat(draft.size()).isEqualTo(2);
    }

    @Test
    void documentsThatEndAfterThePatternCountToo() {
        LaneIndex lane = lane(new int[] {1, 2}, new int[] {7, 1}, new int[] {8, 1}, new int[] {9, 1});
        assertNode(draft(OPEN, lane, 10, 9, 1), 0, 2, -1, 1 / 4f);
    }

    @Test
    void theRequestsOwnEndIsOneOfItsStrings() {
        Draft draft = draft(OPEN, LaneIndex.EMPTY, 1, 1, 2, 3, 1);
        assertNode(draft, 0, 2, -1, 1 / 2f);
        assertThat(draft.source(0)).isEqualTo(SourceKind.OWN);
    }

    @Test
    void theBestScoreWinsNotTheLongestPattern() {
        // 8 1 was followed once, by 5 and the end: score 1. The shorter 1 by 2 3 4 four times of five: score 0.8 * 3.
        LaneIndex lane = lane(
                new int[] {8, 1, 5}, new int[] {1, 2, 3, 4}, new int[] {1, 2, 3, 4}, new int[] {1, 2, 3, 4}, new int[] {
                    1, 2, 3, 4
                });
        Draft draft = draft(LINE, lane, 3, 9, 8, 1);
        assertNode(draft, 0, 2, -1, 0.8f);
        assertThat(draft.matchLength(0)).isEqualTo(1);
        assertNode(draft(LINE, lane, 1, 9, 8, 1), 0, 5, -1, 1);
    }

    @Test
    void onATieTheLongerPatternWinsAndTheOwnTree() {
        LaneIndex lane = lane(new int[] {4, 1, 2}, new int[] {1, 2});
        assertThat(draft(OPEN, lane, 1, 9, 4, 1).matchLength(0)).isEqualTo(2);
        LaneIndex half = lane(new int[] {1, 2}, new int[] {1, 3});
        assertThat(draft(LINE, half, 1, 5, 1, 6, 1).source(0)).isEqualTo(SourceKind.OWN);
    }

    @Test
    void maxSpecIsAlphaTimesThePatternLengthPlusAnOffset() {
        LaneIndex lane = lane(new int[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertThat(draft(settings(1, 0), lane, 16, 9, 1, 2).size()).isEqualTo(2);
        assertThat(draft(settings(2, 0), lane, 16, 9, 1, 2).size()).isEqualTo(4);
        assertThat(draft(settings(1, 1), lane, 16, 9, 1, 2).size()).isEqualTo(3);
        assertThat(draft(settings(1, -2), lane, 16, 9, 1, 2).size()).isZero();
        assertThat(draft(settings(2, 0), lane, 3, 9, 1, 2).size()).isEqualTo(3);
    }

    @Test
    void patternAndContinuationTogetherAreAsLongAsTheTreesAreDeep() {
        LaneIndex lane = lane(new int[] {1, 2, 3, 4, 5, 6, 7, 8});
        SuffixDecoding.Settings shallow = new SuffixDecoding.Settings(4, 1000, 0, 0, true, true, 1000);
        Draft draft = draft(shallow, lane, 16, 9, 1, 2, 3);
        assertThat(draft.matchLength(0)).isEqualTo(1);
        assertThat(draft.size()).isEqualTo(3);
    }

    @Test
    void whatIsNotLikelyEnoughIsNotDrafted() {
        LaneIndex lane = lane(new int[] {1, 2, 3}, new int[] {1, 2, 3}, new int[] {1, 2, 4}, new int[] {1, 5});
        assertThat(draft(new SuffixDecoding.Settings(64, 1000, 0, 0.3f, true, true, 1000), lane, 10, 9, 1)
                        .size())
                .isEqualTo(2);
        assertThat(draft(new SuffixDecoding.Settings(64, 1000, 0, 0.8f, true, true, 1000), lane, 10, 9, 1)
                        .size())
                .isZero();
    }

    @Test
    void ofEquallyLikelyPathsTheFirstFoundGoesNoDeeperThanTheOthers() {
        LaneIndex lane = lane(
                new int[] {1, 2, 3, 4}, new int[] {1, 5, 6, 7}, new int[] {1, 8, 9, 10}, new int[] {1, 11, 12, 13});
        assertThat(parents(draft(OPEN, lane, 8, 0, 1))).containsExactly(-1, -1, -1, -1, 0, 1, 2, 3);
        SuffixDecoding.Settings published = new SuffixDecoding.Settings(64, 1000, 0, 0, true, false, 1000);
        assertThat(parents(draft(published, lane, 8, 0, 1))).containsExactly(-1, -1, -1, 0, 1, 2, 3, 4);
    }

    private static List<Integer> parents(Draft draft) {
        return IntStream.range(0, draft.size()).mapToObj(draft::parent).toList();
    }

    @Test
    void verifiedTokensAreDraftedFrom() {
        SuffixDecodingDrafter drafter = new SuffixDecodingDrafter(LINE);
        drafter.begin(new int[] {1, 2}, 2);
        drafter.verified(new int[] {3, 1}, 2);
        assertThat(drafter.draft(LaneIndex.EMPTY, 2).token(0)).isEqualTo(2);
        drafter.begin(new int[] {1}, 1);
        assertThat(drafter.draft(LaneIndex.EMPTY, 2).size()).isZero();
    }

    @Test
    void anIndexThatCannotCountIsRefused() {
        OccurrenceIndex nearestOnly = (context, length, countMax, source, into) -> 0;
        LaneIndex lane = new LaneIndex(List.of(), nearestOnly, null);
        assertThatThrownBy(() -> draft(OPEN, lane, 4, 1, 2)).hasMessageContaining("PatternIndex");
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new SuffixDecoding.Settings(65, 1, 0, 0, true, true, 1))
                .hasMessageContaining("got 65");
        assertThatThrownBy(() -> new SuffixDecoding.Settings(64, -1, 0, 0, true, true, 1))
                .hasMessageContaining("specFactor");
        assertThatThrownBy(() -> new SuffixDecoding.Settings(64, 1, 0, 2, true, true, 1))
                .hasMessageContaining("got 2");
    }

    @Test
    void draftsAllocateNothingInSteadyState() {
        SteadyState.allocatesNothing(new SuffixDecodingDrafter(SuffixDecoding.Settings.best()));
    }

    private static SuffixDecoding.Settings settings(float factor, float offset) {
        return new SuffixDecoding.Settings(64, factor, offset, 0, true, true, 1000);
    }

    private static LaneIndex lane(int[]... documents) {
        FreshIndex newest = new FreshIndex(1 << 20);
        for (int[] document : documents) {
            newest.add(document, 1);
        }
        return new LaneIndex(List.of(), newest, null);
    }

    private static Draft draft(SuffixDecoding.Settings settings, LaneIndex lane, int budget, int... context) {
        SuffixDecodingDrafter drafter = new SuffixDecodingDrafter(settings);
        drafter.begin(context, context.length);
        return drafter.draft(lane, budget);
    }

    private static void assertNode(Draft draft, int node, int token, int parent, float probability) {
        assertThat(draft.token(node)).isEqualTo(token);
        assertThat(draft.parent(node)).isEqualTo(parent);
        assertThat(draft.probability(node)).isCloseTo(probability, within(1e-6f));
    }
}
