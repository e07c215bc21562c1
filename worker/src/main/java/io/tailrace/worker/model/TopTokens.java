package io.tailrace.worker.model;

/**
 * The largest of a row of logits with their tokens, found in one pass over pieces of the row, so that who holds it elsewhere needs no copy
 * of the whole.
 *
 * <p><b>Idea.</b> A piece is seen as {@value #STRIPES} stripes, every {@value #STRIPES}th logit one. The largest of each comes of plain
 * maxima without branches; only stripes whose largest is above the least found so far are looked through. In the first piece, where nothing
 * is found yet, the k-th largest of the stripes' maxima stands in for it: so many logits are no smaller. Reusable; nothing is allocated.
 */
public final class TopTokens {
    private static final int STRIPES = 64;

    private final float[] highest = new float[STRIPES];
    private final float[] ranked = new float[STRIPES + 1];
    private int[] tokens;
    private float[] logits;
    private int wanted;
    private int found;
    private float seed;

    /**
     * Begins a row.
     *
     * @param intoTokens filled to its length, largest logit first; equals in any order
     * @param intoLogits filled with their logits; at least as long
     */
    public void begin(int[] intoTokens, float[] intoLogits) {
        tokens = intoTokens;
        logits = intoLogits;
        wanted = intoTokens.length;
        found = 0;
        seed = Float.NEGATIVE_INFINITY;
    }

    /** Takes the next logits of the row: the first {@code count} of {@code piece}, of the tokens from {@code firstToken} on. */
    public void add(float[] piece, int count, int firstToken) {
        int whole = count - count % STRIPES;
        if (whole > 0) {
            foldStripes(piece, whole);
            if (found == 0 && wanted <= STRIPES) {
                seed = leastOfHighest();
            }
            for (int stripe = 0; stripe < STRIPES; stripe++) {
                if (highest[stripe] >= (found < wanted ? seed : logits[wanted - 1])) {
                    look(piece, stripe, whole, STRIPES, firstToken);
                }
            }
        }
        look(piece, whole, count, 1, firstToken);
    }

    private void foldStripes(float[] piece, int whole) {
        System.arraycopy(piece, 0, highest, 0, STRIPES);
        for (int from = STRIPES; from < whole; from += STRIPES) {
            for (int stripe = 0; stripe < STRIPES; stripe++) {
                highest[stripe] = Math.max(highest[stripe], piece[from + stripe]);
            }
        }
    }

    /** The largest logit of which as many stripes as are wanted have one no smaller. */
    private float leastOfHighest() {
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            float logit = highest[stripe];
            int at = Math.min(stripe, wanted);
            while (at > 0 && ranked[at - 1] < logit) {
                ranked[at] = ranked[at - 1];
                at--;
            }
            ranked[at] = logit;
        }
        return ranked[wanted - 1];
    }

    private void look(float[] piece, int from, int to, int step, int firstToken) {
        for (int at = from; at < to; at += step) {
            float logit = piece[at];
            if (found < wanted) {
                if (logit >= seed) {
                    insert(logit, firstToken + at, found++);
                }
            } else if (logit > logits[wanted - 1]) {
                insert(logit, firstToken + at, wanted - 1);
            }
        }
    }

    /** Puts a token in its order, at {@code last} or before; what stands there falls out. */
    private void insert(float logit, int token, int last) {
        int at = last;
        while (at > 0 && logits[at - 1] < logit) {
            logits[at] = logits[at - 1];
            tokens[at] = tokens[at - 1];
            at--;
        }
        logits[at] = logit;
        tokens[at] = token;
    }
}
