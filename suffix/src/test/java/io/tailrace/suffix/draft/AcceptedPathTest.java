package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AcceptedPathTest {
    private static final int SYMBOLS = 3;
    private static final int ROUNDS = 20_000;

    private final AcceptedPath path = new AcceptedPath();

    /** The oracle tries every node by the tokens of its whole path, and takes the deepest that the truth begins with. */
    @Test
    void itIsTheDeepestPathThatTheTruthBeginsWith() {
        for (long seed = 0; seed < ROUNDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            DraftTree draft = randomTree(random, random.nextInt(20), true);
            int[] truth = random.ints(1 + random.nextInt(8), 0, SYMBOLS).toArray();
            int at = random.nextInt(truth.length + 1);
            List<Integer> expected = dull(draft, Arrays.copyOfRange(truth, at, truth.length));
            assertThat(path.walk(draft, truth, at)).as("seed %d", seed).isEqualTo(expected.size());
            assertThat(nodes()).as("seed %d", seed).isEqualTo(expected);
            assertThat(path.end())
                    .isEqualTo(expected.isEmpty() ? AcceptedPath.ROOT : expected.get(expected.size() - 1));
            int behind = at + expected.size();
            assertThat(path.ownToken())
                    .as("seed %d", seed)
                    .isEqualTo(behind < truth.length ? truth[behind] : AcceptedPath.NONE);
            assertThat(tokens()).isEqualTo(Arrays.copyOfRange(truth, at, Math.min(truth.length, behind + 1)));
        }
    }

    /** Whatever is drafted, and wherever it is cut, the steps together emit the truth and nothing else. */
    @Test
    void stepsOverRandomTreesEmitExactlyTheTruth() {
        for (long seed = 0; seed < 3_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int[] truth = random.ints(1 + random.nextInt(40), 0, SYMBOLS).toArray();
            List<Integer> emitted = new ArrayList<>();
            while (emitted.size() < truth.length) {
                int position = emitted.size();
                DraftTree draft = randomTree(random, random.nextInt(20), false);
                path.walk(draft, truth, position);
                assertThat(path.length()).as("seed %d", seed).isPositive();
                assertPathOf(draft);
                Arrays.stream(tokens()).forEach(emitted::add);
            }
            assertThat(emitted)
                    .as("seed %d", seed)
                    .containsExactly(Arrays.stream(truth).boxed().toArray(Integer[]::new));
        }
    }

    @Test
    void aTruthThatEndsEndsTheWalkEvenIfTheDraftGoesOn() {
        DraftTree draft = new DraftTree();
        draft.add(7, -1, 1, SourceKind.OWN.index(), 1);
        draft.add(8, 0, 1, SourceKind.OWN.index(), 1);
        assertThat(path.walk(draft, (node, depth) -> depth == 0 ? 7 : AcceptedPath.NONE))
                .isEqualTo(1);
        assertThat(path.length()).isEqualTo(1);
        assertThat(path.ownToken()).isEqualTo(AcceptedPath.NONE);
    }

    /** As a sampler needs it, whose choice is a draw. */
    @Test
    void theTruthIsAskedOnceForEachPlaceInTheirOrder() {
        for (long seed = 0; seed < 1_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            DraftTree draft = randomTree(random, random.nextInt(20), false);
            int[] truth = random.ints(30, 0, SYMBOLS).toArray();
            List<Integer> asked = new ArrayList<>();
            path.walk(draft, (node, depth) -> {
                assertThat(depth).isEqualTo(asked.size());
                asked.add(node);
                return truth[depth];
            });
            assertThat(asked.get(0)).isEqualTo(AcceptedPath.ROOT);
            assertThat(asked.subList(1, asked.size())).as("seed %d", seed).isEqualTo(nodes());
        }
    }

    @Test
    void aChildIsFoundByItsToken() {
        DraftTree draft = new DraftTree();
        draft.add(7, -1, 1, SourceKind.OWN.index(), 1);
        draft.add(8, 0, 1, SourceKind.OWN.index(), 1);
        draft.add(8, -1, 1, SourceKind.OWN.index(), 1);
        assertThat(AcceptedPath.child(draft, AcceptedPath.ROOT, 8)).isEqualTo(2);
        assertThat(AcceptedPath.child(draft, 0, 8)).isEqualTo(1);
        assertThat(AcceptedPath.child(draft, 1, 8)).isEqualTo(AcceptedPath.NONE);
    }

    private List<Integer> nodes() {
        List<Integer> nodes = new ArrayList<>();
        for (int depth = 0; depth < path.accepted(); depth++) {
            nodes.add(path.node(depth));
        }
        return nodes;
    }

    private int[] tokens() {
        return Arrays.copyOf(path.tokens(), path.length());
    }

    private void assertPathOf(DraftTree draft) {
        int parent = AcceptedPath.ROOT;
        for (int depth = 0; depth < path.accepted(); depth++) {
            assertThat(draft.parent(path.node(depth))).isEqualTo(parent);
            assertThat(draft.token(path.node(depth))).isEqualTo(path.tokens()[depth]);
            parent = path.node(depth);
        }
    }

    private static List<Integer> dull(DraftTree draft, int[] truth) {
        List<Integer> best = List.of();
        for (int node = 0; node < draft.size(); node++) {
            List<Integer> path = new ArrayList<>();
            for (int up = node; up != AcceptedPath.ROOT; up = draft.parent(up)) {
                path.add(0, up);
            }
            int[] tokens = path.stream().mapToInt(draft::token).toArray();
            boolean begins =
                    tokens.length <= truth.length && Arrays.equals(tokens, Arrays.copyOf(truth, tokens.length));
            best = begins && path.size() > best.size() ? path : best;
        }
        return best;
    }

    private static DraftTree randomTree(SplittableRandom random, int size, boolean siblingsDiffer) {
        DraftTree tree = new DraftTree();
        for (int i = 0; i < size; i++) {
            int parent = random.nextInt(-1, tree.size());
            int token = random.nextInt(SYMBOLS);
            if (!siblingsDiffer || AcceptedPath.child(tree, parent, token) == AcceptedPath.NONE) {
                tree.add(token, parent, 1, SourceKind.OWN.index(), 1);
            }
        }
        return tree;
    }
}
