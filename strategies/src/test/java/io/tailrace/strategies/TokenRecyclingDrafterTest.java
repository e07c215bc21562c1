package io.tailrace.strategies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.TargetRows;
import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TokenRecyclingDrafterTest {
    @Test
    void theTemplateIsThePublishedTreeOf80Nodes() {
        TreeTemplate template = TreeTemplate.published();
        List<String> paths = paths(template);
        assertThat(paths).hasSize(80).doesNotHaveDuplicates();
        int[] byDepth = new int[7];
        paths.forEach(path -> byDepth[path.split(",").length]++);
        assertThat(byDepth).containsExactly(0, 8, 21, 25, 15, 8, 3);
        assertThat(paths)
                .contains("0,7", "1,3", "2,2", "3,1", "7,0", "0,1,2", "0,2,1", "0,7,0", "1,0,1", "5,0,0")
                .contains(
                        "0,0,0,4", "0,0,1,1", "0,0,4,0", "0,1,0,0", "3,0,0,0", "0,0,0,0,2", "1,0,0,0,0", "0,0,0,1,0,0")
                .doesNotContain("1,4", "4,1", "1,1,1", "6,0,0", "0,3,1", "0,0,0,5", "4,0,0,0");
    }

    @Test
    void theMostPromisingNodesComeFirstParentsBeforeChildren() {
        List<String> paths = paths(TreeTemplate.published());
        assertThat(paths.subList(0, 8)).containsExactly("0", "1", "0,0", "2", "0,1", "1,0", "0,0,0", "3");
        for (String path : paths) {
            int cut = path.lastIndexOf(',');
            assertThat(cut < 0 || paths.indexOf(path.substring(0, cut)) < paths.indexOf(path))
                    .isTrue();
        }
    }

    @Test
    void theTreeIsFilledFromTheModelsCandidates() {
        TokenRecyclingDrafter drafter = published();
        drafter.begin(new int[] {5}, 1);
        drafter.candidates(5, new int[] {6, 7}, 2);
        drafter.candidates(6, new int[] {8}, 1);
        Draft draft = drafter.draft(LaneIndex.EMPTY, 16);
        assertThat(tokens(draft)).containsExactly(6, 7, 8);
        assertThat(draft.parent(2)).isZero();
        assertThat(draft.probability(0)).isEqualTo(0.5f);
        assertThat(draft.probability(2)).isEqualTo(0.25f);
        assertThat(tokens(drafter.draft(LaneIndex.EMPTY, 2))).containsExactly(6, 7);
    }

    @Test
    void newCandidatesTakeTheOldOnesPlaceAndOutliveTheRequest() {
        TokenRecyclingDrafter drafter = published();
        drafter.begin(new int[] {1}, 1);
        drafter.candidates(5, new int[] {6, 7}, 2);
        drafter.candidates(5, new int[] {9}, 1);
        drafter.verified(new int[] {2}, 1);
        assertThat(drafter.draft(LaneIndex.EMPTY, 4).size()).isZero();
        drafter.begin(new int[] {5}, 1);
        assertThat(tokens(drafter.draft(LaneIndex.EMPTY, 4))).containsExactly(9);
    }

    @Test
    void onlyThePublishedFormNeedsCandidatesAndOnlyItHearsThem() {
        TokenRecyclingDrafter observed = observed();
        observed.begin(new int[] {5}, 1);
        observed.candidates(5, new int[] {6}, 1);
        assertThat(observed.draft(LaneIndex.EMPTY, 4).size()).isZero();
    }

    @Test
    void theStandInTakesWhatFollowedLatestFirst() {
        TokenRecyclingDrafter drafter = observed();
        drafter.begin(new int[] {5, 6, 5, 7}, 4);
        drafter.verified(new int[] {5}, 1);
        assertThat(tokens(drafter.draft(LaneIndex.EMPTY, 2))).containsExactly(7, 6);
        drafter.verified(new int[] {6, 5}, 2);
        assertThat(tokens(drafter.draft(LaneIndex.EMPTY, 2))).containsExactly(6, 7);
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new TokenRecycling.Settings(9, false)).hasMessageContaining("got 9");
    }

    @Test
    void draftsAreTreesWithinTheBudget() {
        Cases.forEachSeed(500, seed -> {
            Random random = new Random(seed);
            TokenRecyclingDrafter drafter = observed();
            drafter.begin(random.ints(50, 0, 6).toArray(), 50);
            int budget = random.nextInt(65);
            Draft draft = drafter.draft(LaneIndex.EMPTY, budget);
            assertThat(draft.size()).isLessThanOrEqualTo(budget);
            Set<String> edges = new TreeSet<>();
            for (int node = 0; node < draft.size(); node++) {
                assertThat(draft.parent(node)).isLessThan(node);
                assertThat(edges.add(draft.parent(node) + ":" + draft.token(node)))
                        .isTrue();
            }
        });
    }

    private static TokenRecyclingDrafter published() {
        return new TokenRecyclingDrafter(TokenRecycling.Settings.published(), TargetRows.unbounded(8));
    }

    private static TokenRecyclingDrafter observed() {
        return new TokenRecyclingDrafter(new TokenRecycling.Settings(8, true), TargetRows.unbounded(8));
    }

    private static List<String> paths(TreeTemplate template) {
        List<String> paths = new ArrayList<>();
        for (int node = 0; node < template.size(); node++) {
            String parent = template.parent(node) < 0 ? "" : paths.get(template.parent(node)) + ",";
            paths.add(parent + template.rank(node));
        }
        return paths;
    }

    private static List<Integer> tokens(Draft draft) {
        List<Integer> tokens = new ArrayList<>();
        for (int node = 0; node < draft.size(); node++) {
            tokens.add(draft.token(node));
        }
        return tokens;
    }
}
