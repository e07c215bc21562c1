package io.tailrace.client.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.SourceKind;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DecodeTallyTest {
    @Test
    void everyLengthIsInTheClassWithTheLargestBoundNotAboveIt() {
        for (int length = 1; length <= 100; length++) {
            int found = DecodeTally.classOf(length);
            assertThat(DecodeTally.matchLengthMin(found)).isLessThanOrEqualTo(length);
            if (found + 1 < DecodeTally.matchLengthClasses()) {
                assertThat(DecodeTally.matchLengthMin(found + 1)).isGreaterThan(length);
            }
        }
    }

    @Test
    void noMatchHasNoClass() {
        assertThatThrownBy(() -> DecodeTally.classOf(0)).hasMessageContaining("at least 1 token, got 0");
    }

    /** A tree as parents say, without sources. */
    private record Tree(int... parents) implements Draft {
        @Override
        public int size() {
            return parents.length;
        }

        @Override
        public int token(int node) {
            return node;
        }

        @Override
        public int parent(int node) {
            return parents[node];
        }

        @Override
        public float probability(int node) {
            return 1;
        }

        @Override
        public SourceKind source(int node) {
            return null;
        }

        @Override
        public int matchLength(int node) {
            return 0;
        }

        int depth(int node) {
            return node < 0 ? 0 : depth(parents[node]) + 1;
        }
    }

    /** By position, a step counts once however many of a tree's nodes lie there. */
    @Test
    void stepsAreCountedByTheDepthsOfTheirDrafts() {
        Random random = new Random(11);
        DecodeTally tally = new DecodeTally();
        int[] drafted = new int[64];
        int[] accepted = new int[64];
        Verdict verdict = new Verdict();
        for (int step = 0; step < 500; step++) {
            int[] parents = new int[random.nextInt(65)];
            for (int node = 0; node < parents.length; node++) {
                parents[node] = random.nextInt(4) == 0 ? random.nextInt(node + 1) - 1 : node - 1;
            }
            Tree tree = new Tree(parents);
            int end = random.nextInt(parents.length + 1) - 1;
            verdict.walk(tree, (node, depth) -> towards(tree, node, end));
            tally.add(tree, verdict, 0);
            int deepest = 0;
            for (int node = 0; node < parents.length; node++) {
                deepest = Math.max(deepest, tree.depth(node));
            }
            assertThat(verdict.accepted()).isEqualTo(tree.depth(end));
            for (int at = 0; at < 64; at++) {
                drafted[at] += at < deepest ? 1 : 0;
                accepted[at] += at < verdict.accepted() ? 1 : 0;
            }
        }
        assertThat(tally.positions()).isEqualTo((int)
                Arrays.stream(drafted).filter(count -> count > 0).count());
        for (int at = 0; at < tally.positions(); at++) {
            assertThat(tally.draftedAt(at)).as("position %d", at).isEqualTo(drafted[at]);
            assertThat(tally.acceptedAt(at)).as("position %d", at).isEqualTo(accepted[at]);
        }
    }

    /** The token after a node on the path to the end; behind it one that no draft has. */
    private static int towards(Tree tree, int node, int end) {
        int at = end;
        while (at >= 0 && tree.parent(at) != node) {
            at = tree.parent(at);
        }
        return at < 0 ? 1_000 : at;
    }
}
