package io.tailrace.strategies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.testkit.Cases;
import io.tailrace.testkit.NaiveIndex;
import io.tailrace.testkit.RandomDocuments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SamDecodingDrafterTest {
    private static final SamDecoding.Settings LINE = new SamDecoding.Settings(0, 0, 40, 0, false, 8);
    private static final SamDecoding.Settings TREE = new SamDecoding.Settings(0, 0, 40, 0, true, 8);

    @Test
    void theTextBehindTheLongestMatchIsDrafted() {
        assertThat(tokens(draft(LINE, LaneIndex.EMPTY, 3, 1, 2, 7, 9, 2, 8, 1, 2)))
                .containsExactly(7, 9, 2);
    }

    @Test
    void ofEquallyLongMatchesTheEarliestEndCounts() {
        assertThat(tokens(draft(LINE, LaneIndex.EMPTY, 1, 1, 2, 5, 1, 2, 6, 1, 2)))
                .containsExactly(5);
        assertThat(tokens(draft(LINE, lane(new int[] {1, 2, 5}, new int[] {1, 2, 6}), 1, 9, 1, 2)))
                .containsExactly(5);
    }

    @Test
    void theStaticMatchWinsOnlyIfItIsLongerByMoreThanTheBias() {
        LaneIndex lane = lane(new int[] {4, 5, 6, 1, 2, 3});
        int[] context = {1, 9, 4, 5, 6, 1};
        assertThat(tokens(draft(bias(2), lane, 1, context))).containsExactly(2);
        assertThat(tokens(draft(bias(3), lane, 1, context))).containsExactly(9);
        assertThat(draft(bias(2), lane, 1, context).source(0)).isEqualTo(SourceKind.NEWEST);
        assertThat(draft(bias(2), lane, 1, context).matchLength(0)).isEqualTo(4);
    }

    @Test
    void aMatchBelowTheThresholdDraftsNothing() {
        LaneIndex lane = lane(new int[] {1, 2, 3, 4});
        assertThat(tokens(draft(new SamDecoding.Settings(1, 2, 40, 0, false, 8), lane, 4, 1, 2, 3)))
                .containsExactly(4);
        assertThat(tokens(draft(new SamDecoding.Settings(1, 3, 40, 0, false, 8), lane, 4, 1, 2, 3)))
                .isEmpty();
    }

    @Test
    void aDraftIsAsLongAsTheSettingsTheMatchAndTheBudgetAllow() {
        LaneIndex lane = lane(new int[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertThat(draft(new SamDecoding.Settings(0, 0, 2, 0, false, 8), lane, 9, 1, 2)
                        .size())
                .isEqualTo(2);
        assertThat(draft(new SamDecoding.Settings(0, 0, 40, 2, false, 8), lane, 9, 1, 2)
                        .size())
                .isEqualTo(4);
        assertThat(draft(LINE, lane, 3, 1, 2).size()).isEqualTo(3);
        assertThat(draft(LINE, lane, 9, 1, 2).size()).isEqualTo(6);
    }

    @Test
    void aTreeHoldsTheLikeliestSuccessorsOfEachState() {
        LaneIndex lane = lane(
                new int[] {1, 2, 4},
                new int[] {1, 2, 4},
                new int[] {1, 2, 5},
                new int[] {1, 3},
                new int[] {1, 3},
                new int[] {1, 6});
        Draft draft = draft(new SamDecoding.Settings(0, 0, 40, 0, true, 2), lane, 9, 9, 1);
        assertThat(tokens(draft)).containsExactly(2, 3, 4, 5);
        assertThat(draft.parent(2)).isZero();
        assertThat(draft.probability(2)).isCloseTo(2 / 6f, within(1e-6f));
    }

    @Test
    void aRequestStartsWithNothingOfTheLastOne() {
        SamDecodingDrafter drafter = new SamDecodingDrafter(LINE);
        drafter.begin(new int[] {1, 2, 3}, 3);
        drafter.begin(new int[] {1}, 1);
        assertThat(drafter.draft(LaneIndex.EMPTY, 4).size()).isZero();
        drafter.verified(new int[] {7, 1}, 2);
        assertThat(tokens(drafter.draft(LaneIndex.EMPTY, 4))).containsExactly(7, 1);
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> bias(-1)).hasMessageContaining("got -1");
        assertThatThrownBy(() -> new SamDecoding.Settings(0, 0, 65, 0, false, 8))
                .hasMessageContaining("got 65");
        assertThatThrownBy(() -> new SamDecoding.Settings(0, 0, 40, 0, false, 0))
                .hasMessageContaining("successorsMax");
    }

    @Test
    void linesAreThoseOfTheDullSearch() {
        Cases.forEachSeed(2000, seed -> {
            Random random = new Random(seed);
            RandomDocuments source = new RandomDocuments(seed, 1 + random.nextInt(6), 1_000);
            List<int[]> documents = source.documents(8, 25);
            SamDecoding.Settings settings = bias(random.nextInt(4));
            int[] context = source.context(documents);
            int budget = 1 + random.nextInt(20);
            Draft draft = draft(settings, randomLane(documents), budget, context);
            assertThat(tokens(draft)).isEqualTo(dullLine(settings, documents, context, budget));
        });
    }

    @Test
    void treesHoldTheCountsOfTheLongestMatch() {
        Cases.forEachSeed(1000, seed -> {
            Random random = new Random(seed);
            RandomDocuments source = new RandomDocuments(seed, 1 + random.nextInt(6), 1_000);
            List<int[]> documents = source.documents(8, 25);
            int[] context = source.context(documents);
            int successors = 1 + random.nextInt(3);
            SamDecoding.Settings settings = new SamDecoding.Settings(0, 0, 40, 0, true, successors);
            Draft draft = draft(settings, randomLane(documents), 1 + random.nextInt(20), context);
            checkTree(draft, documents, context, successors);
        });
    }

    @Test
    void draftsAllocateNothingInSteadyState() {
        SteadyState.allocatesNothing(new SamDecodingDrafter(TREE));
    }

    /** Looks at every position of context and documents; the first of the longest matches that go on. */
    private static List<Integer> dullLine(
            SamDecoding.Settings settings, List<int[]> documents, int[] context, int budget) {
        int[] own = longest(List.of(context), context);
        int[] shared = longest(documents, context);
        boolean dynamic = own[2] >= shared[2] - settings.lengthBias();
        int[] chosen = dynamic ? own : shared;
        List<Integer> line = new ArrayList<>();
        if (chosen[2] > 0) {
            int[] text = dynamic ? context : documents.get(chosen[0]);
            for (int at = chosen[1] + 1; at < text.length && line.size() < budget; at++) {
                line.add(text[at]);
            }
        }
        return line;
    }

    /** Text, position and length of the first longest match. */
    private static int[] longest(List<int[]> texts, int[] context) {
        int[] best = {0, 0, 0};
        for (int text = 0; text < texts.size(); text++) {
            for (int position = 0; position + 1 < texts.get(text).length; position++) {
                int match = NaiveIndex.matchLength(texts.get(text), position, context, context.length, 64);
                if (match > best[2]) {
                    best = new int[] {text, position, match};
                }
            }
        }
        return best;
    }

    private static void checkTree(Draft draft, List<int[]> documents, int[] context, int successors) {
        int[][] strings = new int[draft.size()][];
        Map<Integer, Integer> children = new HashMap<>();
        for (int node = 0; node < draft.size(); node++) {
            NaiveIndex texts = new NaiveIndex();
            (draft.source(node) == SourceKind.OWN ? List.of(context) : documents).forEach(texts::add);
            int parent = draft.parent(node);
            int[] pattern = Arrays.copyOfRange(context, context.length - draft.matchLength(node), context.length);
            int[] before = parent < 0 ? pattern : strings[parent];
            Map<Integer, Long> following = texts.nextTokenCounts(before);
            double places = parent < 0
                    ? following.values().stream().mapToLong(Long::longValue).sum()
                    : texts.count(before);
            double share = following.get(draft.token(node)) / places;
            assertThat((double) draft.probability(node))
                    .isCloseTo(share * (parent < 0 ? 1 : draft.probability(parent)), within(1e-4));
            assertThat(children.merge(parent, 1, Integer::sum)).isLessThanOrEqualTo(successors);
            assertThat(following.values().stream().filter(count -> count / places > share + 1e-9))
                    .hasSizeLessThan(successors);
            strings[node] = Arrays.copyOf(before, before.length + 1);
            strings[node][before.length] = draft.token(node);
        }
    }

    private static SamDecoding.Settings bias(int bias) {
        return new SamDecoding.Settings(bias, 0, 40, 0, false, 8);
    }

    /** Documents in order of time, over all parts of a lane. */
    private static LaneIndex randomLane(List<int[]> documents) {
        return new LaneIndex(
                List.of(index(documents.subList(0, 2)), index(documents.subList(2, 4))),
                index(documents.subList(4, 6)),
                index(documents.subList(6, 8)));
    }

    private static LaneIndex lane(int[]... documents) {
        return new LaneIndex(List.of(), index(List.of(documents)), null);
    }

    private static FreshIndex index(List<int[]> documents) {
        FreshIndex index = new FreshIndex(1 << 20);
        documents.forEach(document -> index.add(document, 1));
        return index;
    }

    private static Draft draft(SamDecoding.Settings settings, LaneIndex lane, int budget, int... context) {
        SamDecodingDrafter drafter = new SamDecodingDrafter(settings);
        drafter.begin(context, context.length);
        return drafter.draft(lane, budget);
    }

    private static List<Integer> tokens(Draft draft) {
        List<Integer> tokens = new ArrayList<>();
        for (int node = 0; node < draft.size(); node++) {
            tokens.add(draft.token(node));
        }
        return tokens;
    }
}
