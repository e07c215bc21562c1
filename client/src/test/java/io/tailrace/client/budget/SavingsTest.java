package io.tailrace.client.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.suffix.draft.DraftTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SavingsTest {
    private static final long SEED = 20_261_123L;
    private static final double STEP = 1_000;
    private static final double ROW = 30;
    private static final double AGAIN = 0.95;

    /** A tree whose nodes share out their parent's probability. */
    private static DraftTree tree(Random random, int size) {
        DraftTree tree = new DraftTree();
        double[] left = new double[size + 1];
        left[0] = 1;
        for (int node = 0; node < size; node++) {
            int parent = random.nextInt(node + 1) - 1;
            double probability = left[parent + 1] * random.nextDouble();
            left[parent + 1] -= probability;
            left[node + 1] = probability;
            tree.add(node, parent, (float) probability, 0, 1);
        }
        return tree;
    }

    /** What the first nodes save, from the definition: the step that is not wasted, by every node that could have been left out. */
    private static double naive(DraftTree tree, int nodes) {
        double saved = 0;
        for (int node = 0; node < nodes; node++) {
            double children = 0;
            for (int child = node + 1; child < tree.size(); child++) {
                children += tree.parent(child) == node ? tree.probability(child) : 0;
            }
            saved += STEP * (tree.probability(node) - AGAIN * children) + ROW * AGAIN * children;
        }
        return saved;
    }

    @Test
    void theFirstNodesSaveWhatTheDefinitionSaysHoweverTheyAreDealtOut() {
        Random random = new Random(SEED);
        Savings savings = new Savings();
        for (int round = 0; round < 3_000; round++) {
            List<DraftTree> trees = new ArrayList<>();
            int drafts = random.nextInt(5);
            savings.begin(drafts);
            for (int i = 0; i < drafts; i++) {
                trees.add(tree(random, random.nextInt(20)));
                savings.add(i, trees.get(i), new Held(), STEP, ROW, AGAIN);
            }
            int count = savings.rank(drafts);
            assertThat(count).isEqualTo(trees.stream().mapToInt(DraftTree::size).sum());
            int[] taken = new int[drafts];
            for (int nodes = 0; nodes <= count; nodes++) {
                double naive = 0;
                for (int i = 0; i < drafts; i++) {
                    naive += naive(trees.get(i), taken[i]);
                }
                assertThat(savings.of(nodes))
                        .as("seed %d, round %d, %s", SEED, round, Arrays.toString(taken))
                        .isCloseTo(naive, within(1e-2));
                if (nodes < count) {
                    taken[savings.request(nodes)]++;
                }
            }
        }
    }

    /** At each node no other draft has a stretch that saves more by node. */
    @Test
    void stretchesComeInTheOrderOfWhatTheySave() {
        Random random = new Random(SEED);
        Savings savings = new Savings();
        for (int round = 0; round < 2_000; round++) {
            int drafts = 1 + random.nextInt(40);
            List<double[]> sums = new ArrayList<>();
            savings.begin(drafts);
            for (int i = 0; i < drafts; i++) {
                DraftTree tree = tree(random, random.nextInt(12));
                savings.add(i, tree, new Held(), STEP, ROW, AGAIN);
                double[] sum = new double[tree.size() + 1];
                for (int node = 0; node <= tree.size(); node++) {
                    sum[node] = naive(tree, node);
                }
                sums.add(sum);
            }
            int count = savings.rank(drafts);
            int[] taken = new int[drafts];
            for (int at = 0; at < count; at++) {
                double best = Double.NEGATIVE_INFINITY;
                for (int i = 0; i < drafts; i++) {
                    best = Math.max(best, steepest(sums.get(i), taken[i]));
                }
                int next = savings.request(at);
                assertThat(steepest(sums.get(next), taken[next]))
                        .as("seed %d, round %d, node %d", SEED, round, at)
                        .isGreaterThan(best - 1e-2);
                taken[next]++;
            }
        }
    }

    /** What a node of the stretch saves, from there on, that saves most by node. */
    private static double steepest(double[] sum, int from) {
        double best = Double.NEGATIVE_INFINITY;
        for (int to = from + 1; to < sum.length; to++) {
            best = Math.max(best, (sum[to] - sum[from]) / (to - from));
        }
        return best;
    }

    /** Nine sure nodes are worth taking together, and none of them before the last. */
    @Test
    void aSureLineIsTakenToItsEnd() {
        DraftTree sure = new DraftTree();
        for (int node = 0; node < 9; node++) {
            sure.add(node, node - 1, 1, 0, 1);
        }
        DraftTree half = new DraftTree();
        half.add(1, -1, 0.3f, 0, 1);
        Savings savings = new Savings();
        savings.begin(2);
        savings.add(0, half, new Held(), STEP, ROW, AGAIN);
        savings.add(1, sure, new Held(), STEP, ROW, AGAIN);
        assertThat(savings.rank(2)).isEqualTo(10);
        assertThat(savings.request(0))
                .as("three tenths of a step by one row is more than a step by nine")
                .isZero();
        assertThat(savings.of(10) - savings.of(9)).as("the last").isGreaterThan(0.8 * STEP);
        assertThat(savings.of(9) - savings.of(1)).as("those before it").isLessThan(2.0 * STEP);
    }
}
