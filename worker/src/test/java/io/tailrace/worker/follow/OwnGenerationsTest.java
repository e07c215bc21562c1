package io.tailrace.worker.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.lane.FreshIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OwnGenerationsTest {
    private final OwnGenerations own = new OwnGenerations(1_000_000);

    @Test
    void aDeletedRequestIsForgottenThoughManyShortOnesCameSince() {
        own.add("deleted", new int[] {1, 2, 3}, 1_000);
        for (int i = 0; i < FoldLedger.ENTRIES_MAX; i++) {
            own.add("r" + i, new int[] {5, 6}, 2_000 + i);
        }
        own.forget("deleted", 1_000_000);
        assertThat(held(own)).noneMatch(tokens -> tokens[0] == 1);
    }

    @Test
    void anAnswerThatComesAfterItsDeleteIsNotTakenUp() {
        own.forget("deleted", 2_000);
        own.add("deleted", new int[] {1}, 1_999);
        own.forgetUntil(3_000);
        own.add("any", new int[] {2}, 3_000);
        own.add("deleted", new int[] {3}, 3_001);
        assertThat(held(own)).containsExactly(new int[] {3});
    }

    @Test
    void deletesAreBounded() {
        own.forget("first", 2_000);
        for (int i = 0; i < OwnGenerations.DELETES_MAX; i++) {
            own.forget("r" + i, 2_000);
        }
        own.add("first", new int[] {1}, 1_000);
        own.add("r0", new int[] {2}, 1_000);
        assertThat(held(own)).containsExactly(new int[] {1});
    }

    /** Answers of few milliseconds, folds and deletes at random: what was deleted is never held. */
    @Test
    void nothingDeletedIsEverHeld() {
        for (long seed = 0; seed < 2_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            OwnGenerations each = new OwnGenerations(1_000);
            Map<Integer, Long> completed = new HashMap<>();
            Map<Integer, Long> deleted = new HashMap<>();
            long allDeleted = -1;
            for (int step = 0; step < 40; step++) {
                long now = step / 4L + random.nextInt(3);
                int request = random.nextInt(40);
                switch (random.nextInt(8)) {
                    case 0, 1 -> {
                        each.forget("r" + request, now);
                        deleted.merge(request, now, Math::max);
                    }
                    case 2 -> each.folded(new long[] {now});
                    case 3 -> {
                        long until = random.nextInt(4) == 0 ? now : -1;
                        each.forgetUntil(until);
                        allDeleted = Math.max(allDeleted, until);
                    }
                    default -> {
                        if (completed.putIfAbsent(request, now) == null) {
                            each.add("r" + request, new int[] {request}, now);
                        }
                    }
                }
                for (int[] held : held(each)) {
                    assertThat(completed.get(held[0]))
                            .as("seed %d, step %d, request %d", seed, step, held[0])
                            .isGreaterThan(Math.max(allDeleted, deleted.getOrDefault(held[0], -1L)));
                }
            }
        }
    }

    private static List<int[]> held(OwnGenerations own) {
        return ((FreshIndex) own.index()).generations();
    }
}
