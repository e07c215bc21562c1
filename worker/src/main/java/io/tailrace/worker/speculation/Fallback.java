package io.tailrace.worker.speculation;

/**
 * What to do on a miss: draft at once with the primary source, slowly and well, while the batch waits; or with a fast backup
 * (suffix drafts, or no draft at all). The larger the batch, the likelier one of its requests misses and makes all wait.
 *
 * <p>Times are in verification steps (T_v = 1). A round of a batch of b requests, each hitting with probability h, independently,
 * gives {@code h E_hit + (1 - h) E_miss} tokens a request and takes max(1, T_p) if all hit (probability h^b), else 1 + T_b: the
 * paper's speed-up of one request, {@code (h E_hit + (1 - h) E_miss) / (h max(1, T_p) + (1 - h)(1 + T_b))}, with the batch's
 * chance of a miss, {@code x = 1 - h^b}, in the time. Setting slow and fast equal gives a critical x and from it b*: up to it the
 * slow backup gives more tokens a time, beyond it the fast one.
 *
 * @param hitRate h, 0 to 1
 * @param hitTokens E_hit, tokens of a round after a hit, at least 1
 * @param primarySteps T_p, time to prepare the cache
 * @param slow the primary source as backup
 * @param fast the fast backup: no more tokens and no more time than the slow one
 */
public record Fallback(double hitRate, double hitTokens, double primarySteps, Backup slow, Backup fast) {
    /**
     * What drafting after a miss gives and takes.
     *
     * @param tokens E_miss, tokens of the round that follows, at least 1
     * @param steps T_b, time until the draft is there
     */
    public record Backup(double tokens, double steps) {
        public Backup {
            require(tokens >= 1, "tokens must be >= 1", tokens);
            require(steps >= 0, "steps must be >= 0", steps);
        }
    }

    public Fallback {
        require(hitRate >= 0 && hitRate <= 1, "hitRate must be in [0, 1]", hitRate);
        require(hitTokens >= 1, "hitTokens must be >= 1", hitTokens);
        require(primarySteps >= 0, "primarySteps must be >= 0", primarySteps);
        require(slow.tokens >= fast.tokens, "the slow backup must give no fewer tokens than the fast one", slow.tokens);
        require(slow.steps >= fast.steps, "the slow backup must take no less time than the fast one", slow.steps);
    }

    /** Tokens a request and a step's time, with a batch of so many requests; 1 is decoding without drafts. */
    public double speedUp(Backup backup, double batch) {
        double allHit = Math.pow(hitRate, batch);
        double steps = allHit * hitSteps() + (1 - allHit) * (1 + backup.steps);
        return tokens(backup) / steps;
    }

    /** The backup that gives more tokens a time at this batch; the slow one where they are equal. */
    public Backup at(int batch) {
        return batch <= criticalBatch() ? slow : fast;
    }

    /** b*: up to this batch the slow backup is better, or as good; infinite if always, 0 if never. */
    public double criticalBatch() {
        double gain = hitSteps() * (tokens(slow) - tokens(fast));
        double loss = tokens(fast) * (1 + slow.steps - hitSteps()) - tokens(slow) * (1 + fast.steps - hitSteps());
        if (loss <= gain || hitRate == 1) {
            return Double.POSITIVE_INFINITY;
        }
        return hitRate == 0 ? 0 : Math.log(1 - gain / loss) / Math.log(hitRate);
    }

    private double tokens(Backup backup) {
        return hitRate * hitTokens + (1 - hitRate) * backup.tokens;
    }

    private double hitSteps() {
        return Math.max(1, primarySteps);
    }

    private static void require(boolean holds, String rule, double value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", got " + value);
        }
    }
}
