package io.tailrace.worker.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.SourceKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AcceptanceWalkTest {
    private static final int SYMBOLS = 3;
    private final Verdict verdict = new Verdict();

    /** Whatever is drafted, and wherever it is cut, the steps together emit the truth and nothing else. */
    @Test
    void stepsOverRandomTreesEmitExactlyTheTruth() {
        for (long seed = 0; seed < 3_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int[] truth = random.ints(1 + random.nextInt(40), 0, SYMBOLS).toArray();
            List<Integer> emitted = new ArrayList<>();
            do {
                DraftTree draft = randomTree(random, random.nextInt(20));
                int position = emitted.size();
                AcceptanceWalk.walk(
                        draft,
                        (node, ahead) -> truth[position + ahead],
                        token -> {
                            emitted.add(token);
                            return emitted.size() == truth.length;
                        },
                        verdict);
                assertThat(Arrays.copyOf(verdict.tokens(), verdict.length()))
                        .as("seed %d", seed)
                        .containsExactly(tail(emitted, position));
                assertPathOf(draft);
            } while (!verdict.finished());
            assertThat(emitted)
                    .as("seed %d", seed)
                    .containsExactly(Arrays.stream(truth).boxed().toArray(Integer[]::new));
        }
    }

    @Test
    void aTokenThatEndsTheRequestEndsTheWalkEvenIfTheDraftGoesOn() {
        DraftTree draft = new DraftTree();
        draft.add(7, -1, 1, SourceKind.OWN.index(), 1);
        draft.add(8, 0, 1, SourceKind.OWN.index(), 1);
        AcceptanceWalk.walk(draft, (node, ahead) -> ahead == 0 ? 7 : 8, token -> token == 7, verdict);
        assertThat(verdict.accepted()).isEqualTo(1);
        assertThat(verdict.length()).isEqualTo(1);
        assertThat(verdict.finished()).isTrue();
    }

    private void assertPathOf(DraftTree draft) {
        int parent = -1;
        for (int depth = 0; depth < verdict.accepted(); depth++) {
            int node = verdict.acceptedNode(depth);
            assertThat(draft.parent(node)).isEqualTo(parent);
            assertThat(draft.token(node)).isEqualTo(verdict.tokens()[depth]);
            parent = node;
        }
    }

    private static DraftTree randomTree(SplittableRandom random, int size) {
        DraftTree tree = new DraftTree();
        for (int i = 0; i < size; i++) {
            tree.add(random.nextInt(SYMBOLS), random.nextInt(-1, i), 1, SourceKind.OWN.index(), 1);
        }
        return tree;
    }

    private static int[] tail(List<Integer> emitted, int from) {
        return emitted.subList(from, emitted.size()).stream().mapToInt(i -> i).toArray();
    }
}
