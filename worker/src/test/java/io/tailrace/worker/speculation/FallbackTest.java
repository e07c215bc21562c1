package io.tailrace.worker.speculation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.testkit.Cases;
import io.tailrace.worker.speculation.Fallback.Backup;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FallbackTest {
    @Test
    void aHandWorkedSpeedUp() {
        // h 0.8, 4 tokens on a hit; a miss drafts for half a step and gives 3, or at once and gives 1.
        Fallback fallback = new Fallback(0.8, 4, 0.6, new Backup(3, 0.5), new Backup(1, 0));
        assertThat(fallback.speedUp(fallback.slow(), 1)).isCloseTo(3.8 / 1.1, within(1e-9));
        assertThat(fallback.speedUp(fallback.fast(), 1)).isCloseTo(3.4, within(1e-9));
        assertThat(fallback.speedUp(fallback.slow(), 2)).isCloseTo(3.8 / 1.18, within(1e-9));
        // Equal where x = (3.8 - 3.4) / (3.4 * 0.5) = 4/17: b* = ln(13/17) / ln 0.8.
        assertThat(fallback.criticalBatch()).isCloseTo(Math.log(13 / 17.0) / Math.log(0.8), within(1e-9));
        assertThat(fallback.at(1)).isEqualTo(fallback.slow());
        assertThat(fallback.at(2)).isEqualTo(fallback.fast());
    }

    @Test
    void theCriticalBatchIsWhereTheFastBackupOvertakesTheSlow() {
        Cases.forEachSeed(5000, seed -> {
            Random random = new Random(seed);
            double few = 1 + random.nextDouble();
            double quick = random.nextDouble() / 2;
            Fallback fallback = new Fallback(
                    random.nextDouble(),
                    1 + 6 * random.nextDouble(),
                    2 * random.nextDouble(),
                    new Backup(few + 4 * random.nextDouble(), quick + 2 * random.nextDouble()),
                    new Backup(few, quick));
            for (int batch = 1; batch <= 64; batch *= 2) {
                double slow = fallback.speedUp(fallback.slow(), batch);
                double fast = fallback.speedUp(fallback.fast(), batch);
                if (Math.abs(slow - fast) > 1e-9) {
                    assertThat(fallback.at(batch)).isEqualTo(slow > fast ? fallback.slow() : fallback.fast());
                }
            }
        });
    }

    @Test
    void theEndsOfTheRangeAreDecidedToo() {
        Backup slow = new Backup(3, 1);
        Backup fast = new Backup(1, 0);
        assertThat(new Fallback(1, 4, 0.5, slow, fast).criticalBatch()).isInfinite();
        assertThat(new Fallback(0.5, 4, 0.5, new Backup(3, 0), fast).criticalBatch())
                .isInfinite();
        assertThat(new Fallback(0, 4, 0.5, new Backup(1.5, 1), fast).criticalBatch())
                .isZero();
        assertThat(new Fallback(0, 4, 0.5, slow, fast).at(64)).isEqualTo(slow);
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        Backup one = new Backup(1, 0);
        assertThatThrownBy(() -> new Fallback(1.5, 2, 0, one, one)).hasMessageContaining("hitRate");
        assertThatThrownBy(() -> new Fallback(0.5, 2, 0, one, new Backup(2, 0)))
                .hasMessageContaining("no fewer tokens");
        assertThatThrownBy(() -> new Backup(0.5, 0)).hasMessageContaining("got 0.5");
    }
}
