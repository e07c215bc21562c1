package io.tailrace.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PathQueueTest {
    @Test
    void pathsLeaveByProbabilityAndEqualOnesInTheOrderTheyCame() {
        Cases.forEachSeed(2000, seed -> {
            Random random = new Random(seed);
            PathQueue fair = new PathQueue(true);
            PathQueue plain = new PathQueue(false);
            List<float[]> waiting = new ArrayList<>();
            for (int path = 0; path < 200; path++) {
                float probability = random.nextInt(5) / 4f;
                fair.push(probability, path);
                plain.push(probability, path);
                waiting.add(new float[] {probability, path});
                if (random.nextInt(3) == 0) {
                    checkPop(fair, plain, waiting);
                }
            }
            while (!waiting.isEmpty()) {
                checkPop(fair, plain, waiting);
            }
            assertThat(fair.isEmpty()).isTrue();
        });
    }

    private static void checkPop(PathQueue fair, PathQueue plain, List<float[]> waiting) {
        waiting.sort(Comparator.comparingDouble((float[] entry) -> -entry[0]).thenComparingDouble(entry -> entry[1]));
        assertThat(fair.pop()).isEqualTo((int) waiting.remove(0)[1]);
        plain.pop();
        assertThat(plain.isEmpty()).isEqualTo(waiting.isEmpty());
    }

    @Test
    void aPlainHeapFillsTheTopFromTheRightAmongEquals() {
        PathQueue plain = new PathQueue(false);
        for (int path = 0; path < 4; path++) {
            plain.push(1, path);
        }
        List<Integer> order = new ArrayList<>();
        while (!plain.isEmpty()) {
            order.add(plain.pop());
        }
        assertThat(order).containsExactly(0, 2, 1, 3);
    }
}
