package io.tailrace.worker.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CachedSequenceTest {
    private static final int ROWS = 200;
    private static final int NODES_MAX = 9;

    @Test
    void rowsAreNeitherSharedNorLostWhateverHappensToSequences() {
        Cases.forEachSeed(300, seed -> {
            Random random = new Random(seed);
            CacheRows cache = new CacheRows(ROWS);
            PassPlanner planner = new PassPlanner(cache, 100, 50, 10);
            List<Twin> twins = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                act(random, cache, planner, twins);
                requireEveryRowOnce(cache, twins);
            }
            twins.forEach(Twin::close);
            assertThat(cache.free()).isEqualTo(ROWS);
        });
    }

    private static void act(Random random, CacheRows cache, PassPlanner planner, List<Twin> twins) {
        if (twins.isEmpty() || random.nextInt(5) == 0) {
            twins.add(new Twin(cache));
        }
        Twin twin = twins.get(random.nextInt(twins.size()));
        switch (random.nextInt(8)) {
            case 0 -> {
                twin.close();
                twins.remove(twin);
            }
            case 1 -> twin.truncate(random);
            default -> twin.passAndCommit(random, planner);
        }
    }

    private static void requireEveryRowOnce(CacheRows cache, List<Twin> twins) {
        Set<Integer> taken = new HashSet<>();
        for (Twin twin : twins) {
            assertThat(twin.sequence.length()).isEqualTo(twin.rows.size());
            for (int place = 0; place < twin.rows.size(); place++) {
                assertThat(twin.sequence.row(place)).isEqualTo(twin.rows.get(place));
                assertThat(taken.add(twin.rows.get(place))).as("row taken once").isTrue();
            }
        }
        assertThat(cache.free()).isEqualTo(ROWS - taken.size());
    }

    /** A sequence beside a dull list of the rows it should have. */
    private static final class Twin {
        private final CachedSequence sequence;
        private final List<Integer> rows = new ArrayList<>();

        Twin(CacheRows cache) {
            sequence = new CachedSequence(cache);
        }

        void passAndCommit(Random random, PassPlanner planner) {
            int nodes = 1 + random.nextInt(NODES_MAX);
            int[] parents = new int[nodes];
            for (int node = 0; node < nodes; node++) {
                parents[node] = random.nextInt(node + 1) - 1;
            }
            try {
                planner.plan(List.of(TreeInput.tree(sequence, new int[nodes], parents)));
            } catch (TargetModel.CacheFullException | IllegalArgumentException full) {
                return;
            }
            List<Integer> path = new ArrayList<>();
            for (int node = random.nextInt(nodes); node >= 0; node = parents[node]) {
                path.add(0, node);
            }
            int kept = random.nextInt(path.size() + 1);
            for (int node : path.subList(0, kept)) {
                rows.add(sequence.row(sequence.length() + node));
            }
            sequence.commit(path.stream().mapToInt(Integer::intValue).toArray(), kept);
        }

        void truncate(Random random) {
            int length = random.nextInt(rows.size() + 1);
            sequence.truncate(length);
            rows.subList(length, rows.size()).clear();
        }

        void close() {
            sequence.close();
        }
    }

    @Test
    void onlyAPathOfTheLastPassCanBeCommitted() {
        CacheRows cache = new CacheRows(20);
        PassPlanner planner = new PassPlanner(cache, 10, 10, 10);
        CachedSequence sequence = new CachedSequence(cache);
        assertThatThrownBy(() -> sequence.commit(new int[0], 0)).hasMessageContaining("no pass to commit");
        planner.plan(List.of(TreeInput.tree(sequence, new int[4], new int[] {-1, 0, 0, 1})));
        for (int[] wrong : new int[][] {{1}, {0, 3}, {0, 1, 2}, {0, 4}, {-1}}) {
            assertThatThrownBy(() -> sequence.commit(wrong, wrong.length))
                    .as(Arrays.toString(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not follow");
        }
        assertThatThrownBy(sequence::commitAll).hasMessageContaining("does not follow");
        assertThatThrownBy(() -> sequence.commit(new int[] {0}, 2)).hasMessage("count must be 0 to 1, got 2");
        sequence.commit(new int[] {0, 1, 3}, 3);
        assertThat(sequence.length()).isEqualTo(3);
        assertThatThrownBy(sequence::commitAll).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> sequence.truncate(4)).hasMessage("length must be 0 to 3, got 4");
        sequence.close();
        sequence.close();
        assertThat(cache.free()).isEqualTo(20);
        assertThatThrownBy(() -> planner.plan(List.of(TreeInput.line(sequence, new int[1], 0))))
                .hasMessageContaining("closed or of another model");
    }
}
