package io.tailrace.suffix.learn;

/**
 * How often tokens came in a lane's reference generations, and how surprising others are under that: the mean of
 * {@code -log2 p(token)}. Token ids share {@value #BUCKETS} buckets, so that the size does not depend on the vocabulary.
 *
 * <p>It is frozen after its reference generations: an adapting distribution would find the same traffic less novel with each
 * generation, and a test on it would see a shift where there is none.
 */
public final class TokenReference {
    public static final int BUCKETS = 4096;
    /** Of a longer generation so many tokens are looked at, evenly spread. */
    public static final int TOKENS_MAX = 64;

    private static final double SMOOTHING = 0.5;
    private static final double LN_2 = Math.log(2);

    private TokenReference() {}

    /** The buckets of a generation's tokens: what novelty is computed from. */
    public static short[] sketch(int[] tokens) {
        short[] sketch = new short[Math.min(tokens.length, TOKENS_MAX)];
        for (int i = 0; i < sketch.length; i++) {
            sketch[i] = bucket(tokens[(int) ((long) i * tokens.length / sketch.length)]);
        }
        return sketch;
    }

    static short bucket(int token) {
        int hash = token * 0x9E3779B1;
        return (short) ((hash ^ hash >>> 15) & (BUCKETS - 1));
    }

    /** Adds a generation to the counts; returns how many tokens that were. */
    static int count(short[] sketch, int[] counts) {
        for (short bucket : sketch) {
            counts[bucket]++;
        }
        return sketch.length;
    }

    /** Bits a token. */
    static double novelty(short[] sketch, int[] counts, long total) {
        double sum = 0;
        for (short bucket : sketch) {
            sum -= Math.log((counts[bucket] + SMOOTHING) / (total + SMOOTHING * BUCKETS));
        }
        return sketch.length == 0 ? 0 : sum / sketch.length / LN_2;
    }
}
