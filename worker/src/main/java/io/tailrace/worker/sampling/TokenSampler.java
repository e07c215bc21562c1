package io.tailrace.worker.sampling;

/**
 * Chooses the next token from a row of logits.
 *
 * <p><b>Idea.</b> Gumbel-max: add an independent Gumbel number to each logit (after temperature) and take the largest; the
 * winner is distributed as the softmax (Gumbel, 1954; Maddison et al., "A* Sampling", 2014, section 2). Against inverting the
 * distribution's sum it has one virtue here: the choice changes only where the two best scores are nearly equal, just as a
 * greedy choice does, so another summation order in the model moves almost nothing and near-ties can be told.
 *
 * <p><b>Filters.</b> Top-k keeps the k largest logits; top-p then the fewest of those whose probabilities, renormalised, reach
 * p. Equal logits are taken in the order of their token ids.
 *
 * <p><b>Cost.</b> Without filters one hash a token, and a logarithm only for tokens that can still win; with filters a
 * selection besides. Arrays are kept between calls. Not thread-safe.
 */
public final class TokenSampler {
    private final Shortlist shortlist = new Shortlist();
    private double margin;

    /**
     * The token at a position.
     *
     * @param logits row of the model, natural logarithms up to a constant
     * @param length vocabulary size; what lies behind it in {@code logits} is not read
     * @param position index of the token in the response, from 0
     * @throws IllegalStateException if no logit is a number
     */
    public int sample(SamplingParameters parameters, float[] logits, int length, int position) {
        if (parameters.greedy()) {
            return checked(argmax(logits, length));
        }
        double scale = 1.0 / parameters.temperature();
        long key = KeyedGumbel.key(parameters.seed(), position);
        boolean filtered = (parameters.topK() > 0 && parameters.topK() < length) || parameters.topP() < 1;
        return checked(
                filtered
                        ? sampleListed(parameters, logits, length, scale, key)
                        : sampleAll(logits, length, scale, key));
    }

    /** How far the best score of the last call was ahead of the second: in logits, after temperature and noise. */
    public double margin() {
        return margin;
    }

    private int sampleAll(float[] logits, int length, double scale, long key) {
        double best = Double.NEGATIVE_INFINITY;
        double second = Double.NEGATIVE_INFINITY;
        int winner = -1;
        for (int token = 0; token < length; token++) {
            double logit = logits[token] * scale;
            double uniform = KeyedGumbel.uniform(key, token);
            if (KeyedGumbel.mayExceed(uniform, second - logit)) {
                double score = logit + KeyedGumbel.gumbel(uniform);
                if (score > best) {
                    second = best;
                    best = score;
                    winner = token;
                } else if (score > second) {
                    second = score;
                }
            }
        }
        margin = best - second;
        return winner;
    }

    private int sampleListed(SamplingParameters parameters, float[] logits, int length, double scale, long key) {
        int count = shortlist.fill(logits, length, scale, parameters.topK(), parameters.topP());
        double best = Double.NEGATIVE_INFINITY;
        double second = Double.NEGATIVE_INFINITY;
        int winner = -1;
        for (int i = 0; i < count; i++) {
            int token = shortlist.token(i);
            double score = logits[token] * scale + KeyedGumbel.gumbel(KeyedGumbel.uniform(key, token));
            if (score > best || (score == best && token < winner)) {
                second = best;
                best = score;
                winner = token;
            } else if (score > second) {
                second = score;
            }
        }
        margin = best - second;
        return winner;
    }

    private int argmax(float[] logits, int length) {
        float best = Float.NEGATIVE_INFINITY;
        float second = Float.NEGATIVE_INFINITY;
        int winner = -1;
        for (int token = 0; token < length; token++) {
            float logit = logits[token];
            if (logit > best) {
                second = best;
                best = logit;
                winner = token;
            } else if (logit > second) {
                second = logit;
            }
        }
        margin = (double) best - second;
        return winner;
    }

    private static int checked(int token) {
        if (token < 0) {
            throw new IllegalStateException(
                    "no logit of the row is a number above minus infinity; the model or its weights are broken");
        }
        return token;
    }
}
