package io.tailrace.worker.huggingface;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class HalfTest {
    @Test
    void everyHalfSurvivesTheWayThroughAFloat() {
        for (int bits = 0; bits <= 0xffff; bits++) {
            float value = Half.toFloat((short) bits);
            if (Float.isNaN(value)) {
                assertThat(Half.toFloat(Half.fromFloat(value))).isNaN();
            } else {
                assertThat(Half.fromFloat(value) & 0xffff).isEqualTo(bits);
            }
        }
    }

    @Test
    void aFloatGoesToTheNearestHalfOfAll() {
        Random random = new Random(1);
        for (int trial = 0; trial < 20_000; trial++) {
            float value = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(12) - 8));
            assertNearest(Math.max(-65_504, Math.min(65_504, value)));
        }
        for (int bits = 0; bits < 0x7bff; bits += 7) {
            float low = Half.toFloat((short) bits);
            float middle = (low + Half.toFloat((short) (bits + 1))) / 2;
            assertThat(Half.fromFloat(middle) & 1)
                    .as("a tie goes to the even one")
                    .isZero();
        }
    }

    private static void assertNearest(float value) {
        short found = Half.fromFloat(value);
        float distance = Math.abs(Half.toFloat(found) - value);
        for (int step = -1; step <= 1; step += 2) {
            float other = Half.toFloat((short) (found + step));
            assertThat(Float.isFinite(other) && Math.abs(other - value) < distance)
                    .as("%s is nearer to %s than to %s", value, other, Half.toFloat(found))
                    .isFalse();
        }
    }

    @Test
    void knownValues() {
        assertThat(Half.toFloat((short) 0x3c00)).isEqualTo(1f);
        assertThat(Half.toFloat((short) 0xc000)).isEqualTo(-2f);
        assertThat(Half.toFloat((short) 0x7bff)).isEqualTo(65_504f);
        assertThat(Half.toFloat((short) 0x0001)).isEqualTo(0x1p-24f);
        assertThat(Half.toFloat((short) 0x7c00)).isInfinite();
        assertThat(Half.fromFloat(1e6f)).isEqualTo((short) 0x7c00);
        assertThat(Half.fromFloat(-1e6f)).isEqualTo((short) 0xfc00);
        assertThat(Half.fromBfloat16((short) 0x3f80)).isEqualTo(1f);
        assertThat(Half.fromBfloat16((short) 0xc040)).isEqualTo(-3f);
    }
}
