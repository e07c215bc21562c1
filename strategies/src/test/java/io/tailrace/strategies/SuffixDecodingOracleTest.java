package io.tailrace.strategies;

import static org.assertj.core.api.Assertions.assertThat;
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
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SuffixDecodingOracleTest {
    private static final double ROUNDING = 1e-4;

    @Test
    void treesAreThoseOfTheExactCountsAndTheirScoreIsTheBestOfAllPatterns() {
        Cases.forEachSeed(1500, seed -> {
            Trial trial = new Trial(seed, true);
            for (int step = 0; step < 4; step++) {
                Draft draft = trial.draft();
                checkProbabilities(trial, draft);
                assertThat(score(draft)).isCloseTo(trial.bestTreeScore(), within(ROUNDING));
                if (draft.size() > 0) {
                    List<Double> expected = trial.chosen(draft).treeProbabilities(draft.matchLength(0), trial.budget);
                    assertThat(expected).hasSize(draft.size());
                    for (int i = 0; i < draft.size(); i++) {
                        assertThat((double) draft.probability(i)).isCloseTo(expected.get(i), within(ROUNDING));
                    }
                }
                trial.goOn();
            }
        });
    }

    @Test
    void pathsFollowTheLikeliestChildAndTheirScoreIsTheBestOfAllPatterns() {
        Cases.forEachSeed(1500, seed -> {
            Trial trial = new Trial(seed, false);
            for (int step = 0; step < 4; step++) {
                Draft draft = trial.draft();
                checkProbabilities(trial, draft);
                double worst = trial.pathScores(true);
                double best = trial.pathScores(false);
                assertThat(score(draft)).isBetween(worst - ROUNDING, best + ROUNDING);
                if (draft.size() > 0) {
                    assertThat(trial.chosen(draft).pathProbabilities(draft.matchLength(0), trial.budget))
                            .anyMatch(path -> isPath(draft, path));
                }
                trial.goOn();
            }
        });
    }

    private static boolean isPath(Draft draft, List<Double> path) {
        boolean same = draft.size() == path.size();
        for (int i = 0; same && i < path.size(); i++) {
            same = draft.parent(i) == i - 1 && Math.abs(draft.probability(i) - path.get(i)) < ROUNDING;
        }
        return same;
    }

    /** Each node's probability is its parent's times the share of its string's count. */
    private static void checkProbabilities(Trial trial, Draft draft) {
        int[][] strings = new int[draft.size()][];
        for (int node = 0; node < draft.size(); node++) {
            ReferenceSuffixDecoding tree = trial.chosen(draft);
            int parent = draft.parent(node);
            int[] before = parent < 0 ? tree.pattern(draft.matchLength(node)) : strings[parent];
            double parentProbability = parent < 0 ? 1 : draft.probability(parent);
            assertThat((double) draft.probability(node))
                    .isCloseTo(parentProbability * tree.share(before, draft.token(node)), within(ROUNDING));
            strings[node] = Arrays.copyOf(before, before.length + 1);
            strings[node][before.length] = draft.token(node);
        }
    }

    private static double score(Draft draft) {
        double score = 0;
        for (int node = 0; node < draft.size(); node++) {
            score += draft.probability(node);
        }
        return score;
    }

    /** A random lane, a random request, random settings. */
    private static final class Trial {
        final int budget;
        private final Random random;
        private final SuffixDecoding.Settings settings;
        private final SuffixDecodingDrafter drafter;
        private final NaiveIndex shared = new NaiveIndex();
        private final LaneIndex lane;
        private final RandomDocuments source;
        private int[] context;

        Trial(long seed, boolean tree) {
            random = new Random(seed);
            int depthMax = random.nextBoolean() ? 64 : 2 + random.nextInt(8);
            settings = new SuffixDecoding.Settings(
                    depthMax,
                    random.nextBoolean() ? 1000 : random.nextInt(3),
                    random.nextInt(3) - 1,
                    random.nextInt(4) == 0 ? 0 : random.nextFloat() / 2,
                    tree,
                    random.nextBoolean(),
                    SuffixDecoding.Settings.ALL);
            source = new RandomDocuments(seed, 1 + random.nextInt(6), 1_000);
            List<int[]> documents = source.documents(8, 25);
            lane = new LaneIndex(List.of(index(documents, 0, 2), index(documents, 2, 4)), index(documents, 4, 6), null);
            drafter = new SuffixDecodingDrafter(settings);
            budget = 1 + random.nextInt(20);
            context = source.context(documents);
            drafter.begin(context, context.length);
        }

        private FreshIndex index(List<int[]> documents, int from, int to) {
            FreshIndex index = new FreshIndex(1000);
            for (int[] document : documents.subList(from, to)) {
                index.add(document, 1);
                shared.add(document);
            }
            return index;
        }

        Draft draft() {
            return drafter.draft(lane, budget);
        }

        /** The request's next tokens come. */
        void goOn() {
            int[] more = source.tokens(1 + random.nextInt(3));
            drafter.verified(more, more.length);
            int length = context.length;
            context = Arrays.copyOf(context, length + more.length);
            System.arraycopy(more, 0, context, length, more.length);
        }

        ReferenceSuffixDecoding chosen(Draft draft) {
            return draft.source(0) == SourceKind.OWN ? own() : new ReferenceSuffixDecoding(settings, shared, context);
        }

        private ReferenceSuffixDecoding own() {
            NaiveIndex own = new NaiveIndex();
            own.add(context);
            return new ReferenceSuffixDecoding(settings, own, context);
        }

        private List<ReferenceSuffixDecoding> trees() {
            return List.of(own(), new ReferenceSuffixDecoding(settings, shared, context));
        }

        double bestTreeScore() {
            double best = 0;
            for (ReferenceSuffixDecoding tree : trees()) {
                for (int length = 1; length <= tree.patternMax(); length++) {
                    best = Math.max(best, ReferenceSuffixDecoding.score(tree.treeProbabilities(length, budget)));
                }
            }
            return best;
        }

        /** The best score over all patterns, each pattern's ties followed to its worst or its best. */
        double pathScores(boolean worst) {
            double best = 0;
            for (ReferenceSuffixDecoding tree : trees()) {
                for (int length = 1; length <= tree.patternMax(); length++) {
                    List<Double> scores = new ArrayList<>();
                    tree.pathProbabilities(length, budget)
                            .forEach(path -> scores.add(ReferenceSuffixDecoding.score(path)));
                    scores.sort(null);
                    best = Math.max(best, scores.get(worst ? 0 : scores.size() - 1));
                }
            }
            return best;
        }
    }
}
