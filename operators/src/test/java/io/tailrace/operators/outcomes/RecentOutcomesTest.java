package io.tailrace.operators.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.state.StateCodec;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RecentOutcomesTest {
    private static final StateCodec<RecentOutcomes> CODEC = new StateCodec<>(RecentOutcomes.class, "Outcomes");

    @Test
    void zeroIsAHashLikeAnyOther() {
        RecentOutcomes recent = new RecentOutcomes();
        assertThat(recent.add(0)).isTrue();
        assertThat(recent.add(0)).isFalse();
    }

    @Test
    void theOldestIsForgottenBeyondTheBound() {
        RecentOutcomes recent = new RecentOutcomes();
        for (long hash = 0; hash <= RecentOutcomes.KEPT_MAX; hash++) {
            assertThat(recent.add(hash)).isTrue();
        }
        assertThat(recent.add(1)).isFalse();
        assertThat(recent.add(0)).isTrue();
        assertThat(recent.add(1)).isTrue();
        assertThat(CODEC.encode(recent).length).isLessThan(RecentOutcomes.KEPT_MAX * Long.BYTES + 100);
    }

    @Test
    void itKnowsWhatASetOfTheLastOnesKnowsAfterARestoreToo() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        RecentOutcomes recent = new RecentOutcomes();
        Set<Long> last = new LinkedHashSet<>();
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(1_000) == 0) {
                recent = CODEC.decode(CODEC.encode(recent));
            }
            long hash = random.nextInt(8_000);
            assertThat(recent.add(hash)).as("seed %d, hash %d", seed, i).isEqualTo(last.add(hash));
            if (last.size() > RecentOutcomes.KEPT_MAX) {
                last.remove(last.iterator().next());
            }
        }
    }
}
