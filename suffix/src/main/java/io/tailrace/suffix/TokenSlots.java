package io.tailrace.suffix;

import java.security.SecureRandom;

/**
 * Where a token begins to be looked for in a hash table. Seeded anew in each process: with a function that is known, whoever writes a prompt
 * could choose its tokens so that they all crowd into one stretch of a table, and a request would cost the square of its length. What tables give
 * must not depend on the order of their slots.
 *
 * <p>Idea: multiply the seeded key by a random odd number, then mix upper bits into lower ones, as in the finalizer of SplittableRandom (Steele,
 * Lea, Flood 2014, section 2). Cost: three multiplications.
 */
public final class TokenSlots {
    private static final long ADDED;
    private static final long FACTOR;

    static {
        SecureRandom random = new SecureRandom();
        ADDED = random.nextLong();
        FACTOR = random.nextLong() | 1;
    }

    private TokenSlots() {}

    /**
     * The slot of a token.
     *
     * @param token a token id
     * @param mask the table's length, a power of two, less one
     * @return in [0, mask]
     */
    public static int slot(int token, int mask) {
        return mixed(token) & mask;
    }

    /**
     * The slot of a token of an owner.
     *
     * @param owner whose it is
     * @param token a token id
     * @param mask the table's length, a power of two, less one
     * @return in [0, mask]
     */
    static int slot(int owner, int token, int mask) {
        return mixed((long) owner << Integer.SIZE | token) & mask;
    }

    private static int mixed(long key) {
        long mixed = (key + ADDED) * FACTOR;
        mixed = (mixed ^ mixed >>> 32) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 29) * 0x94D049BB133111EBL;
        return (int) (mixed >>> 32);
    }
}
