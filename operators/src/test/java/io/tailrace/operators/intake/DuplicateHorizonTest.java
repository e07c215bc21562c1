package io.tailrace.operators.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DuplicateHorizonTest {
    private static final int HORIZON_MILLIS = 1000;

    /** The dull twin: every hash with the time it was added. */
    private static final class NaiveHorizon {
        private final Map<List<Long>, Long> addedAt = new HashMap<>();

        private boolean addedWithin(long high, long low, long now, long millis) {
            Long at = addedAt.get(List.of(high, low));
            return at != null && now - at <= millis;
        }
    }

    /** A horizon together with what a checkpoint of it would hold. */
    private static final class Checkpointed {
        private DuplicateHorizon horizon;
        private final Map<Long, DuplicateHorizon.Chunk> chunks = new HashMap<>();
        private final int hashesMax;

        private Checkpointed(int hashesMax) {
            this.hashesMax = hashesMax;
            this.horizon = new DuplicateHorizon(HORIZON_MILLIS, hashesMax);
        }

        private boolean offer(long high, long low, long now) {
            boolean known = horizon.contains(high, low, now);
            if (!known) {
                horizon.add(high, low);
                chunks.put(horizon.changedChunk(), horizon.changedChunkContent());
            }
            horizon.takeDroppedChunks().forEach(chunks::remove);
            return known;
        }

        private void failAndRestore() {
            horizon = new DuplicateHorizon(HORIZON_MILLIS, hashesMax);
            horizon.restore(chunks);
        }
    }

    @Test
    void withinTheHorizonEveryRepeatIsRecognisedAndAfterItNone() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            Checkpointed checkpointed = new Checkpointed(1 << 20);
            NaiveHorizon naive = new NaiveHorizon();
            long now = 0;
            int ids = 1 + random.nextInt(400);
            for (int step = 0; step < 600; step++) {
                now += random.nextInt(20);
                long high = random.nextInt(ids);
                long low = high % 3;
                boolean known = checkpointed.offer(high, low, now);
                String where = "seed %d, step %d".formatted(seed, step);
                if (naive.addedWithin(high, low, now, HORIZON_MILLIS)) {
                    assertThat(known).as(where).isTrue();
                } else if (!naive.addedWithin(high, low, now, 2 * HORIZON_MILLIS)) {
                    assertThat(known).as(where).isFalse();
                }
                if (!known) {
                    naive.addedAt.put(List.of(high, low), now);
                }
                if (random.nextInt(100) == 0) {
                    checkpointed.failAndRestore();
                }
                checkpointed.horizon.checkInvariants();
            }
        }
    }

    @Test
    void itNeverHoldsMoreThanAllowedAndKeepsTheNewest() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            int hashesMax = 8 + random.nextInt(500);
            Checkpointed checkpointed = new Checkpointed(hashesMax);
            List<Long> added = new ArrayList<>();
            for (int step = 0; step < 2000; step++) {
                long high = random.nextLong();
                checkpointed.offer(high, step, 0);
                added.add(high);
                checkpointed.horizon.checkInvariants();
                assertThat(checkpointed.horizon.size()).isLessThanOrEqualTo(hashesMax);
                int back = 7 * (hashesMax / 8) - 1;
                if (step >= back) {
                    assertThat(checkpointed.horizon.contains(added.get(step - back), step - back, 0))
                            .as("seed %d, step %d, max %d", seed, step, hashesMax)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void aCheckpointHoldsWhatTheHorizonHoldsAndNoMore() {
        Checkpointed checkpointed = new Checkpointed(1 << 20);
        for (int i = 0; i < 1000; i++) {
            checkpointed.offer(i, i, i);
        }
        assertThat(checkpointed.chunks.values().stream().mapToInt(chunk -> chunk.hashes().length / 2))
                .allMatch(hashes -> hashes <= DuplicateHorizon.CHUNK_HASHES);
        checkpointed.offer(5000, 5000, 100_000);
        assertThat(checkpointed.chunks).hasSize(1);
    }

    /** A broker that is read later than others, or whose clock is behind. */
    @Test
    void timesThatFallForgetNothingEarly() {
        Checkpointed checkpointed = new Checkpointed(1 << 20);
        long ahead = 10 * HORIZON_MILLIS;
        checkpointed.offer(1, 1, ahead);
        for (int i = 2; i < 500; i++) {
            assertThat(checkpointed.offer(i, i, i)).isFalse();
            assertThat(checkpointed.offer(i, i, ahead + i)).as("hash %d", i).isTrue();
            if (i % 50 == 0) {
                checkpointed.failAndRestore();
            }
            checkpointed.horizon.checkInvariants();
        }
        assertThat(checkpointed.offer(1, 1, ahead + HORIZON_MILLIS)).isTrue();
    }

    @Test
    void theHashOfZeroesIsAHashLikeOthers() {
        Checkpointed checkpointed = new Checkpointed(64);
        assertThat(checkpointed.offer(0, 0, 1)).isFalse();
        assertThat(checkpointed.offer(0, 0, 2)).isTrue();
        checkpointed.failAndRestore();
        assertThat(checkpointed.offer(0, 0, 3)).isTrue();
        assertThat(checkpointed.offer(0, 1, 3)).isFalse();
    }
}
