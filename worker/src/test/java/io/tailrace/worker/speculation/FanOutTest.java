package io.tailrace.worker.speculation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.testkit.Cases;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FanOutTest {
    @Test
    void aLineFansOutByTheFormulaOfThePaper() {
        double a = 0.8;
        double r = 0.7;
        double[] fanOut = FanOut.geometric(4, a, r, 20);
        for (int k = 0; k < 4; k++) {
            assertThat(fanOut[k]).isCloseTo(fanOut[0] * Math.pow(a, k / (1 + r)), within(1e-9));
        }
        assertThat(fanOut[4])
                .isCloseTo(fanOut[0] * Math.pow(a, 4 / (1 + r)) * Math.pow(1 - a, -1 / (1 + r)), within(1e-9));
        assertThat(Arrays.stream(fanOut).sum()).isCloseTo(20, within(1e-9));
    }

    @Test
    void aHandWorkedFanOut() {
        // a = 1/4, r = 1: 1, 1/2 and 1/4 / sqrt(3/4) = 0.2887; of 10: 5.591, 2.795, 1.614.
        double[] fanOut = FanOut.geometric(2, 0.25, 1, 10);
        assertThat(fanOut[0]).isCloseTo(5.5907, within(1e-4));
        assertThat(fanOut[1]).isCloseTo(2.7954, within(1e-4));
        assertThat(fanOut[2]).isCloseTo(1.6139, within(1e-4));
        assertThat(FanOut.whole(fanOut, 10)).containsExactly(5, 3, 2);
    }

    @Test
    void noOtherSharesMissLess() {
        Cases.forEachSeed(3000, seed -> {
            Random random = new Random(seed);
            double[] ends = random.doubles(1 + random.nextInt(6), 0.01, 1).toArray();
            double r = 0.1 + 2 * random.nextDouble();
            double best = misses(ends, FanOut.proportional(ends, r, 12), r);
            double[] other = random.doubles(ends.length, 0.01, 1).toArray();
            double sum = Arrays.stream(other).sum();
            for (int i = 0; i < other.length; i++) {
                other[i] *= 12 / sum;
            }
            assertThat(misses(ends, other, r)).isGreaterThanOrEqualTo(best - 1e-9);
        });
    }

    private static double misses(double[] ends, double[] shares, double r) {
        double misses = 0;
        for (int i = 0; i < ends.length; i++) {
            misses += ends[i] * Math.pow(shares[i], -r);
        }
        return misses;
    }

    @Test
    void roundingKeepsTheSumAndMovesNoShareByOneOrMore() {
        Cases.forEachSeed(2000, seed -> {
            Random random = new Random(seed);
            int budget = random.nextInt(40);
            double[] shares = FanOut.proportional(
                    random.doubles(1 + random.nextInt(9), 0, 1).toArray(), 0.5 + random.nextDouble(), budget);
            int[] whole = FanOut.whole(shares, budget);
            assertThat(Arrays.stream(whole).sum()).isEqualTo(budget);
            for (int i = 0; i < whole.length; i++) {
                assertThat(Math.abs(whole[i] - shares[i])).isLessThan(1 + 1e-9);
            }
        });
    }

    @Test
    void bestFirstIsHitAtLeastAsOftenAsAnyOtherChoice() {
        Cases.forEachSeed(1000, seed -> {
            Random random = new Random(seed);
            Forks all = new Forks(1);
            int count = random.nextInt(9);
            for (int fork = 0; fork < count; fork++) {
                all.add(random.nextInt(4) - 1, fork, random.nextInt(6) / 8f);
            }
            int budget = random.nextInt(10);
            Forks chosen = new Forks(1);
            FanOut.bestFirst(all, budget, chosen);
            assertThat(chosen.size()).isEqualTo(Math.min(budget, count));
            assertThat(sum(chosen)).isCloseTo(bestSubset(all, budget), within(1e-6));
        });
    }

    private static double bestSubset(Forks all, int budget) {
        double best = 0;
        for (int subset = 0; subset < (1 << all.size()); subset++) {
            double sum = 0;
            for (int fork = 0; fork < all.size(); fork++) {
                sum += ((subset >> fork) & 1) * all.probability(fork);
            }
            best = Integer.bitCount(subset) <= budget ? Math.max(best, sum) : best;
        }
        return best;
    }

    @Test
    void geometricTakesTheLikeliestForksOfEachNode() {
        // The draft is 7, then 8 below it; it ends at the context's end with 0.5, at 7 with 0.3, at 8 with 0.2.
        DraftTree draft = new DraftTree();
        draft.add(7, -1, 0.5f, 0, 1);
        draft.add(8, 0, 0.2f, 0, 1);
        assertThat(FanOut.ends(draft)).containsExactly(new double[] {0.5, 0.3, 0.2}, within(1e-6));
        Forks all = new Forks(8);
        all.add(-1, 1, 0.1f);
        all.add(-1, 2, 0.4f);
        all.add(0, 3, 0.05f);
        all.add(0, 4, 0.2f);
        all.add(1, 5, 0.15f);
        all.add(1, 6, 0.02f);
        Forks chosen = new Forks(8);
        FanOut.geometric(draft, all, 1, 3, chosen);
        TreeSet<Integer> tokens = new TreeSet<>();
        for (int fork = 0; fork < chosen.size(); fork++) {
            tokens.add(chosen.token(fork));
        }
        assertThat(tokens).containsExactly(2, 4, 5);
        assertThat(chosen.token(0)).isEqualTo(2);
    }

    @Test
    void whatAWiderDraftHoldsBeyondAnotherAreItsForks() {
        DraftTree verified = new DraftTree();
        verified.add(7, -1, 0.5f, 0, 1);
        verified.add(8, 0, 0.4f, 0, 1);
        DraftTree wider = new DraftTree();
        wider.add(9, -1, 0.3f, 0, 1);
        wider.add(7, -1, 0.5f, 0, 1);
        wider.add(8, 1, 0.4f, 0, 1);
        wider.add(6, 1, 0.1f, 0, 1);
        wider.add(5, 0, 0.1f, 0, 1);
        wider.add(4, 2, 0.2f, 0, 1);
        Forks forks = new Forks(1);
        forks.addBeyond(verified, wider);
        assertThat(forks.size()).isEqualTo(3);
        assertThat(forks.find(-1, 9)).isZero();
        assertThat(forks.find(0, 6)).isEqualTo(1);
        assertThat(forks.find(1, 4)).isEqualTo(2);
        assertThat(forks.find(0, 5)).isEqualTo(-1);
        assertThat(forks.probability(2)).isEqualTo(0.2f);
        assertThatThrownBy(() -> forks.node(3)).hasMessageContaining("got 3");
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        assertThatThrownBy(() -> FanOut.geometric(2, 1, 1, 3)).hasMessageContaining("acceptance");
        assertThatThrownBy(() -> FanOut.geometric(-1, 0, 1, 3)).hasMessageContaining("got -1");
        assertThatThrownBy(() -> FanOut.proportional(new double[1], 0, 3)).hasMessageContaining("exponent");
    }

    private static double sum(Forks forks) {
        double sum = 0;
        for (int fork = 0; fork < forks.size(); fork++) {
            sum += forks.probability(fork);
        }
        return sum;
    }
}
