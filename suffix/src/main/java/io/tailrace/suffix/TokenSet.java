package io.tailrace.suffix;

/** A set of token ids that only grows: open addressing, eight to sixteen bytes for each token it has room for. */
final class TokenSet {
    private static final int EMPTY = 0;

    /** Ids plus one; of the largest id that is a negative number. */
    private final int[] slots;

    private final int mask;

    /** A set with room for so many tokens. */
    TokenSet(int tokensMax) {
        int size = Integer.highestOneBit(Math.max(4, tokensMax)) << 2;
        this.slots = new int[size];
        this.mask = size - 1;
    }

    /** Adds a token id of at least 0; false: it was there. */
    boolean add(int token) {
        int wanted = token + 1;
        int slot = TokenSlots.slot(token, mask);
        while (slots[slot] != EMPTY && slots[slot] != wanted) {
            slot = (slot + 1) & mask;
        }
        boolean added = slots[slot] == EMPTY;
        slots[slot] = wanted;
        return added;
    }
}
