package io.tailrace.worker.speculation;

import io.tailrace.suffix.draft.Draft;

/**
 * Which forks to prepare drafts for, when only so many can be prepared.
 *
 * <p><b>Geometric</b> (the paper's theorem on the optimal fan-out). Each node gets a number of tokens. If a node is the last
 * accepted one with probability P, and its F likeliest tokens miss the model's with a probability that falls as F^-r, then
 * misses are fewest with F proportional to P^(1 / (1 + r)) (Lagrange: P r F^(-r-1) is the same everywhere). On a line of K tokens,
 * each accepted with probability a, P is a^k (1 - a) and a^K at the end, hence F_k = F_0 a^(k / (1 + r)) and F_K = F_0 a^(K / (1 +
 * r)) (1 - a)^(-1 / (1 + r)).
 *
 * <p><b>Best-first</b>: the likeliest forks, whatever their node. It needs probabilities of forks, and makes the most of them:
 * no other choice of as many forks is hit more often, if they are right.
 */
public final class FanOut {
    private FanOut() {}

    /**
     * How many tokens to prepare at each place of a line, as real numbers that sum up to the budget.
     *
     * @param drafted K, tokens of the line, at least 0; there are K + 1 places
     * @param acceptance a, probability that a token is accepted if those before it were, 0 to below 1
     * @param exponent r, above 0: how fast misses get rarer with more tokens
     */
    public static double[] geometric(int drafted, double acceptance, double exponent, double budget) {
        require(drafted >= 0, "drafted must be >= 0", drafted);
        require(acceptance >= 0 && acceptance < 1, "acceptance must be in [0, 1)", acceptance);
        double[] ends = new double[drafted + 1];
        double reached = 1;
        for (int k = 0; k < drafted; k++) {
            ends[k] = reached * (1 - acceptance);
            reached *= acceptance;
        }
        ends[drafted] = reached;
        return proportional(ends, exponent, budget);
    }

    /**
     * The same for any places: shares of the budget in proportion to {@code ends[i]^(1 / (1 + exponent))}.
     *
     * @param ends probability that a verification ends at a place, at least 0, not all 0
     */
    public static double[] proportional(double[] ends, double exponent, double budget) {
        require(exponent > 0, "exponent must be > 0", exponent);
        require(budget >= 0, "budget must be >= 0", budget);
        double[] shares = new double[ends.length];
        double sum = 0;
        for (int i = 0; i < ends.length; i++) {
            shares[i] = Math.pow(ends[i], 1 / (1 + exponent));
            sum += shares[i];
        }
        for (int i = 0; i < ends.length; i++) {
            shares[i] = sum == 0 ? 0 : shares[i] * budget / sum;
        }
        return shares;
    }

    /** Whole numbers with the sum of the shares, rounded: those cut off most get one more (largest remainder). */
    static int[] whole(double[] shares, int budget) {
        int[] whole = new int[shares.length];
        double[] rest = new double[shares.length];
        int left = budget;
        for (int i = 0; i < shares.length; i++) {
            whole[i] = (int) shares[i];
            rest[i] = shares[i] - whole[i];
            left -= whole[i];
        }
        for (; left > 0 && shares.length > 0; left--) {
            int most = 0;
            for (int i = 1; i < rest.length; i++) {
                most = rest[i] > rest[most] ? i : most;
            }
            whole[most]++;
            rest[most] = -1;
        }
        return whole;
    }

    /**
     * Chooses geometrically among the forks that are known of a draft: for each node its likeliest ones.
     *
     * @param all known forks
     * @param budget how many to choose at most; fewer where a node has fewer than it got
     * @param chosen takes them, likeliest first
     */
    public static void geometric(Draft draft, Forks all, double exponent, int budget, Forks chosen) {
        int[] left = whole(proportional(ends(draft), exponent, budget), budget);
        bestFirst(all, all.size(), chosen);
        Forks kept = new Forks(budget);
        for (int fork = 0; fork < chosen.size(); fork++) {
            if (left[chosen.node(fork) + 1]-- > 0) {
                kept.add(chosen.node(fork), chosen.token(fork), chosen.probability(fork));
            }
        }
        bestFirst(kept, budget, chosen);
    }

    /** The likeliest forks, likeliest first. */
    public static void bestFirst(Forks all, int budget, Forks chosen) {
        chosen.clear();
        for (int fork = 0; fork < all.size(); fork++) {
            chosen.add(all.node(fork), all.token(fork), all.probability(fork));
        }
        chosen.sort();
        chosen.truncate(budget);
    }

    /** Probability that each node is the last accepted one; the context's end first. */
    static double[] ends(Draft draft) {
        double[] ends = new double[draft.size() + 1];
        ends[0] = 1;
        for (int node = 0; node < draft.size(); node++) {
            ends[node + 1] += draft.probability(node);
            ends[draft.parent(node) + 1] -= draft.probability(node);
        }
        for (int i = 0; i < ends.length; i++) {
            ends[i] = Math.max(0, ends[i]);
        }
        return ends;
    }

    private static void require(boolean holds, String rule, double value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", got " + value);
        }
    }
}
