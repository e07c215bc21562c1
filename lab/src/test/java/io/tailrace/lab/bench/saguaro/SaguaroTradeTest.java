package io.tailrace.lab.bench.saguaro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SaguaroTradeTest {
    private static final double[] FACTORS = {1, 0.5, 0};

    @Test
    void aHandWorkedPlace() {
        SaguaroTrade trade = new SaguaroTrade(1, new double[] {1});
        trade.add(new double[] {0.6, 0.3, 0.1}, new double[] {0.5, 0.1, 0.4});
        List<SaguaroTrade.Row> rows = trade.rows(2, 0.5);
        SaguaroTrade.Row speculative = rows.get(0);
        assertThat(speculative.acceptance()).isCloseTo(0.7, within(1e-12));
        assertThat(speculative.hitsAfterRejection()).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(speculative.tokensPerVerification()).isCloseTo(1 + 0.7 + 0.49, within(1e-12));
        double hitRate = 0.51 / 3 + 0.49 * 0.6;
        assertThat(speculative.hitRate()).isCloseTo(hitRate, within(1e-12));
        assertThat(speculative.tokensPerStepTime()).isCloseTo(2.19 / (1 + 0.5 * (1 - hitRate)), within(1e-12));
        SaguaroTrade.Row once = rows.get(1);
        assertThat(once.rule()).isEqualTo("sample-once");
        assertThat(once.acceptance()).isCloseTo(0.6, within(1e-12));
        assertThat(once.hitsAfterRejection()).isCloseTo(0.25, within(1e-12));
    }

    @Test
    void sharesAreThoseOfDrawingInEarnest() {
        for (long seed = 1; seed <= 8; seed++) {
            Random random = new Random(seed);
            double[] p = distribution(random, 7);
            double[] q = distribution(random, 7);
            SaguaroTrade trade = new SaguaroTrade(2, FACTORS);
            trade.add(p, q);
            List<SaguaroTrade.Row> rows = trade.rows(1, 0);
            for (int i = 0; i < FACTORS.length; i++) {
                check(seed, rows.get(i), drawn(p, SaguaroTrade.Sampling.scaled(q, 2, FACTORS[i]), q, random));
            }
            check(seed, rows.get(FACTORS.length), drawnOnce(p, q, random));
        }
    }

    private static void check(long seed, SaguaroTrade.Row row, double[] drawn) {
        assertThat(row.acceptance()).as("seed %d, %s", seed, row).isCloseTo(drawn[0], within(0.01));
        if (drawn[0] < 0.9) {
            assertThat(row.hitsAfterRejection()).as("seed %d, %s", seed, row).isCloseTo(drawn[1], within(0.02));
        }
    }

    /** Draws, accepts or rejects, and looks the own token up: acceptance, hits after a rejection. */
    private static double[] drawn(double[] p, double[] drafted, double[] q, Random random) {
        int[] cache = SaguaroTrade.Sampling.likeliest(q, 2);
        double[] residual = SaguaroTrade.Sampling.residual(p, drafted);
        int accepted = 0;
        int hits = 0;
        int draws = 100_000;
        for (int i = 0; i < draws; i++) {
            int token = draw(drafted, random);
            if (random.nextDouble() * drafted[token] < p[token]) {
                accepted++;
            } else {
                hits += holds(cache, draw(residual, random)) ? 1 : 0;
            }
        }
        return new double[] {accepted / (double) draws, hits / (double) (draws - accepted)};
    }

    private static double[] drawnOnce(double[] p, double[] q, Random random) {
        int[] likeliest = SaguaroTrade.Sampling.likeliest(q, 3);
        int accepted = 0;
        int hits = 0;
        int draws = 100_000;
        for (int i = 0; i < draws; i++) {
            int own = draw(p, random);
            accepted += own == likeliest[0] ? 1 : 0;
            hits += own == likeliest[1] || own == likeliest[2] ? 1 : 0;
        }
        return new double[] {accepted / (double) draws, hits / (double) (draws - accepted)};
    }

    private static boolean holds(int[] cache, int token) {
        return Arrays.stream(cache).anyMatch(cached -> cached == token);
    }

    private static int draw(double[] from, Random random) {
        double left = random.nextDouble();
        int token = 0;
        while (token < from.length - 1 && left >= from[token]) {
            left -= from[token++];
        }
        return token;
    }

    private static double[] distribution(Random random, int size) {
        double[] shares = random.doubles(size).map(share -> share * share).toArray();
        double sum = Arrays.stream(shares).sum();
        return Arrays.stream(shares).map(share -> share / sum).toArray();
    }
}
