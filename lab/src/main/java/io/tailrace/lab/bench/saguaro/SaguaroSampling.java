package io.tailrace.lab.bench.saguaro;

import java.util.Arrays;

/**
 * Sampling from a draft source so that the cache is hit more often (Saguaro sampling).
 *
 * <p>With sampled text a drafted token x from q is accepted with probability min(1, p(x) / q(x)), else the model's own token
 * comes from the residual, max(0, p - q) normed. The cache holds the F likeliest tokens of q: just those that the residual
 * avoids, as q is large there. Scaling q down on them by a constant C moves residual mass onto them, so that more misses of the
 * draft are hits of the cache; the price is a lower acceptance. What comes out is distributed as p for every q, so also for
 * the scaled one: C = 1 changes nothing, C = 0 drafts none of the F tokens.
 *
 * <p>Workers verify by another rule, under which there is nothing to trade (docs/decisions/0009); this is for measuring.
 */
public final class SaguaroSampling {
    private SaguaroSampling() {}

    /**
     * The scaled distribution: the {@code top} likeliest tokens of q times {@code factor}, normed. Equal ones count in order.
     *
     * @param top F, 0 to the number of tokens
     * @param factor C, 0 to 1
     * @return sums up to 1; q itself if nothing would be left
     */
    public static double[] scaled(double[] q, int top, double factor) {
        if (!(factor >= 0 && factor <= 1) || top < 0 || top > q.length) {
            throw new IllegalArgumentException(
                    "factor must be in [0, 1] and top in [0, " + q.length + "], got " + factor + " and " + top);
        }
        double[] scaled = q.clone();
        for (int token : likeliest(q, top)) {
            scaled[token] *= factor;
        }
        double sum = Arrays.stream(scaled).sum();
        if (sum == 0) {
            return q.clone();
        }
        for (int token = 0; token < scaled.length; token++) {
            scaled[token] /= sum;
        }
        return scaled;
    }

    /** The likeliest tokens, likeliest first, the lower one among equals. */
    public static int[] likeliest(double[] q, int top) {
        int[] likeliest = new int[Math.min(top, q.length)];
        boolean[] taken = new boolean[q.length];
        for (int i = 0; i < likeliest.length; i++) {
            int best = -1;
            for (int token = 0; token < q.length; token++) {
                if (!taken[token] && (best < 0 || q[token] > q[best])) {
                    best = token;
                }
            }
            taken[best] = true;
            likeliest[i] = best;
        }
        return likeliest;
    }

    /** Probability that a token drafted from {@code drafted} is accepted: the mass that p and it share. */
    public static double acceptance(double[] p, double[] drafted) {
        double shared = 0;
        for (int token = 0; token < p.length; token++) {
            shared += Math.min(p[token], drafted[token]);
        }
        return shared;
    }

    /** What the model's own token is drawn from after a rejection; p where nothing is ever rejected. */
    public static double[] residual(double[] p, double[] drafted) {
        double[] residual = new double[p.length];
        double sum = 0;
        for (int token = 0; token < p.length; token++) {
            residual[token] = Math.max(0, p[token] - drafted[token]);
            sum += residual[token];
        }
        if (sum == 0) {
            return p.clone();
        }
        for (int token = 0; token < p.length; token++) {
            residual[token] /= sum;
        }
        return residual;
    }

    /** Probability that the model's own token after a rejection is one of the cached ones. */
    public static double hitAfterRejection(double[] p, double[] drafted, int[] cached) {
        double[] residual = residual(p, drafted);
        return Arrays.stream(cached).mapToDouble(token -> residual[token]).sum();
    }
}
