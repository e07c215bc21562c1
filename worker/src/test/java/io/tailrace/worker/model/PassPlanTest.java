package io.tailrace.worker.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PassPlanTest {
    @Test
    void whatEachNodeSeesIsItsSequenceAndItsAncestorsWhateverTheGrouping() {
        Cases.forEachSeed(300, seed -> {
            Random random = new Random(seed);
            CacheRows cache = new CacheRows(2_000);
            PassPlanner planner = new PassPlanner(cache, 1_000, 500, random.nextInt(3) * 100L);
            List<TreeInput> batch = new ArrayList<>();
            for (int input = 0; input <= random.nextInt(6); input++) {
                CachedSequence sequence = new CachedSequence(cache);
                planner.plan(List.of(TreeInput.line(sequence, new int[1 + random.nextInt(40)], 0)));
                sequence.commitAll();
                batch.add(tree(random, sequence, 1 + random.nextInt(random.nextBoolean() ? 4 : 60)));
            }
            requireSeen(batch, planner.plan(batch));
        });
    }

    private static TreeInput tree(Random random, CachedSequence sequence, int nodes) {
        int[] tokens = random.ints(nodes, 0, 1_000).toArray();
        int[] parents = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            parents[node] = random.nextInt(node + 1) - 1;
        }
        return new TreeInput(sequence, tokens, parents, random.nextInt(nodes + 1));
    }

    /** Reads the flat arrays as an engine does, and compares with the trees. */
    private static void requireSeen(List<TreeInput> batch, PassPlan plan) {
        long[] dimensions = plan.dimensions();
        int nodes = (int) dimensions[0];
        long[] indices = plan.indices();
        int at = 3 * nodes + (int) dimensions[1];
        int cell = 0;
        int seen = 0;
        for (int group = 2; group < dimensions.length; group += PassPlan.GROUP_DIMENSIONS) {
            int first = (int) dimensions[group];
            int members = (int) dimensions[group + 1];
            int inputs = (int) dimensions[group + 2];
            int width = (int) dimensions[group + 3];
            int columns = (int) dimensions[group + 4];
            int places = at + inputs * width;
            int rows = places + members;
            for (int node = 0; node < members; node++) {
                int place = (int) indices[places + node];
                assertThat(indices[at + place]).isEqualTo(node);
                int packed = first + node;
                TreeInput input = owner(batch, indices[2 * nodes + packed]);
                int own = own(input, indices[2 * nodes + packed]);
                assertThat(indices[packed]).isEqualTo(input.tokens()[own]);
                List<Long> visible = new ArrayList<>();
                for (int column = 0; column < columns; column++) {
                    if (plan.blocked()[cell + place * columns + column] == 0) {
                        visible.add(indices[rows + place / width * columns + column]);
                    }
                }
                assertThat(visible).isEqualTo(expected(input, own));
                assertThat(indices[nodes + packed]).isEqualTo(visible.size() - 1);
                if (own >= input.rowsFrom()) {
                    int row = plan.row(batch.indexOf(input), own);
                    assertThat(indices[3 * nodes + row]).isEqualTo(packed);
                }
                PlannedPass.Seat seat = plan.seat(batch.indexOf(input), own);
                assertThat(seat.row()).isEqualTo(packed);
                assertThat(seat.columns()).isEqualTo(columns);
                int ownColumn = input.sequence().length() + own;
                assertThat(seat.cell()).isEqualTo(cell + place * (long) columns + ownColumn);
                seen++;
            }
            at = rows + inputs * columns;
            cell += inputs * width * columns;
        }
        assertThat(at).isEqualTo(indices.length);
        assertThat(cell).isEqualTo(plan.blocked().length);
        assertThat(seen).isEqualTo(nodes);
    }

    private static TreeInput owner(List<TreeInput> batch, long row) {
        return batch.stream().filter(input -> own(input, row) >= 0).findFirst().orElseThrow();
    }

    private static int own(TreeInput input, long row) {
        CachedSequence sequence = (CachedSequence) input.sequence();
        for (int node = 0; node < input.size(); node++) {
            if (sequence.row(sequence.length() + node) == row) {
                return node;
            }
        }
        return -1;
    }

    private static List<Long> expected(TreeInput input, int node) {
        CachedSequence sequence = (CachedSequence) input.sequence();
        List<Long> rows = new ArrayList<>();
        for (int at = node; at >= 0; at = input.parents()[at]) {
            rows.add(0, (long) sequence.row(sequence.length() + at));
        }
        for (int place = sequence.length() - 1; place >= 0; place--) {
            rows.add(0, (long) sequence.row(place));
        }
        return rows;
    }

    @Test
    void aLongPromptDoesNotMakeOneTokenStepsLong() {
        CacheRows cache = new CacheRows(2_000);
        PassPlanner planner = new PassPlanner(cache, 10, 1_000, 100);
        List<TreeInput> batch = new ArrayList<>();
        for (int size : new int[] {1, 500, 2, 1, 3}) {
            batch.add(TreeInput.line(new CachedSequence(cache), new int[size], size));
        }
        long[] dimensions = planner.plan(batch).dimensions();
        assertThat(dimensions).hasSize(2 + 2 * PassPlan.GROUP_DIMENSIONS);
        assertThat(Arrays.copyOf(dimensions, 7)).containsExactly(507, 0, 0, 500, 1, 500, 500);
        assertThat(Arrays.copyOfRange(dimensions, 7, 12)).containsExactly(500, 7, 4, 3, 3);
    }
}
