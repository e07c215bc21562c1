package io.tailrace.lab.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.testkit.Cases;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GrowthTest {
    @Test
    void aPowerIsFoundAgain() {
        Cases.forEachSeed(500, seed -> {
            Random random = new Random(seed);
            double power = random.nextDouble() * 4 - 1;
            double unit = 1e-6 + random.nextDouble() * 1e6;
            List<Double> sizes = random.doubles(2 + random.nextInt(6), 1, 1e5)
                    .distinct()
                    .boxed()
                    .toList();
            List<Double> costs =
                    sizes.stream().map(size -> unit * Math.pow(size, power)).toList();
            assertThat(Growth.exponent(sizes, costs)).isCloseTo(power, within(1e-6));
        });
    }

    @Test
    void whatOneMoreCostsIsFoundAgain() {
        Cases.forEachSeed(500, seed -> {
            Random random = new Random(seed);
            double unit = random.nextDouble() * 1e3 - 100;
            List<Double> sizes = random.doubles(2 + random.nextInt(6), 1, 1e5)
                    .distinct()
                    .boxed()
                    .toList();
            List<Double> costs = sizes.stream().map(size -> 5e4 + unit * size).toList();
            assertThat(Growth.perUnit(sizes, costs)).isCloseTo(unit, within(1e-3));
        });
        assertThat(Growth.perUnit(List.of(5.0, 5.0), List.of(7.0, 8.0))).isNull();
        assertThat(Growth.perUnit(List.of(), List.of())).isNull();
    }

    @Test
    void whatStaysTheSameDoesNotGrow() {
        assertThat(Growth.exponent(List.of(1.0, 10.0, 100.0), List.of(7.0, 7.0, 7.0)))
                .isCloseTo(0, within(1e-9));
    }

    @Test
    void oneSizeOrNoCostSaysNothing() {
        assertThat(Growth.exponent(List.of(5.0), List.of(7.0))).isNull();
        assertThat(Growth.exponent(List.of(5.0, 5.0), List.of(7.0, 8.0))).isNull();
        assertThat(Growth.exponent(List.of(1.0, 2.0, 3.0), List.of(0.0, 0.0, 3.0)))
                .isNull();
        assertThat(Growth.exponent(List.of(), List.of())).isNull();
    }
}
