package io.tailrace.worker.sampling;

/**
 * Gumbel-distributed random numbers as a function of (seed, position, token): nothing is drawn from a stream, so nothing can
 * fall out of step.
 *
 * <p>Two rounds of the 64-bit finalizer of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
 * 2014) make a uniform number of 53 bits in (0, 1); {@code -log(-log u)} makes it Gumbel.
 */
final class KeyedGumbel {
    private static final long STRIDE = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1p-53;
    private static final int BOUNDS = 38;
    private static final double[] EXCEEDANCE = new double[BOUNDS + 1];

    static {
        for (int whole = 0; whole <= BOUNDS; whole++) {
            EXCEEDANCE[whole] = Math.exp(-whole);
        }
    }

    private KeyedGumbel() {}

    /** What the numbers of one position share. */
    static long key(long seed, int position) {
        return mix(mix(seed) + (position + 1L) * STRIDE);
    }

    /** The uniform number of a token, in (0, 1). */
    static double uniform(long key, int token) {
        return ((mix(key + (token + 1L) * STRIDE) >>> 11) + 0.5) * UNIT;
    }

    static double gumbel(double uniform) {
        return -Math.log(-Math.log(uniform));
    }

    /** False if the Gumbel number of {@code uniform} is surely not above {@code needed}; quick, takes no logarithm. */
    static boolean mayExceed(double uniform, double needed) {
        if (needed < 1) {
            return true;
        }
        // P(g > needed) = 1 - exp(-exp(-needed)) <= exp(-needed) <= exp(-floor(needed)).
        return 1 - uniform <= EXCEEDANCE[(int) Math.min(needed, BOUNDS)];
    }

    private static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
