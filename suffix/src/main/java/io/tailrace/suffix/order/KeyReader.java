package io.tailrace.suffix.order;

/** Packs the ranks of the tokens read backwards from a place into one long, as many as fit, the last token highest. */
final class KeyReader {
    private static final int BITS_MIN = 8;

    private final int[] rank;
    private final int bits;
    private final int tokensPerKey;
    private final long lastMask;
    private final long flip;

    KeyReader(TokenRanks ranks) {
        this.rank = ranks.ranks();
        this.bits = Math.max(Integer.SIZE - Integer.numberOfLeadingZeros(ranks.distinct()), BITS_MIN);
        this.tokensPerKey = Long.SIZE / bits;
        this.lastMask = (1L << bits) - 1;
        this.flip = tokensPerKey * bits == Long.SIZE ? Long.MIN_VALUE : 0;
    }

    int tokensPerKey() {
        return tokensPerKey;
    }

    /** The key at a shifted position; zeros from the document's start on. */
    long key(int shifted) {
        long key = 0;
        int at = shifted;
        for (int i = 0; i < tokensPerKey; i++) {
            int r = rank[at];
            key = (key << bits) | r;
            at -= r == 0 ? 0 : 1;
        }
        return key ^ flip;
    }

    /** Whether the document's start is among the key's tokens, so that positions with this key differ in place only. */
    boolean reachesStart(long key) {
        return (key & lastMask) == 0;
    }
}
