package io.tailrace.suffix.segment;

import java.nio.IntBuffer;

/**
 * Where the end positions of each last token start in the order. Tokens are put into buckets of {@code 1 << shift}
 * neighbouring ids, wide enough that the table takes at most a quarter byte a token: with a large segment each token has its
 * own bucket, with a small one or a huge vocabulary a bucket holds several, and the search just starts a few steps wider.
 *
 * @param shift a token's bucket is {@code token >>> shift}
 * @param starts first order entry of each bucket, and one more: their number
 */
record LastTokenTable(int shift, int[] starts) {
    private static final int BUCKETS_MIN = 64;
    private static final int ENTRIES_PER_BUCKET = 16;

    static LastTokenTable of(int[] text, int orderLength) {
        int tokenMax = -1;
        for (int token : text) {
            tokenMax = Math.max(tokenMax, token);
        }
        int bucketsMax = Math.max(BUCKETS_MIN, orderLength / ENTRIES_PER_BUCKET);
        int shift = 0;
        while (tokenMax >>> shift >= bucketsMax && tokenMax >= 0) {
            shift++;
        }
        int[] starts = new int[(tokenMax >> shift) + 2];
        for (int i = 0; i + 1 < text.length; i++) {
            if (text[i] >= 0 && text[i + 1] >= 0) {
                starts[(text[i] >>> shift) + 1]++;
            }
        }
        for (int i = 1; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        return new LastTokenTable(shift, starts);
    }

    /** First order entry of the token's bucket; with {@code bucketsOn} 1, of the next bucket. */
    static int start(IntBuffer starts, int shift, int token, int bucketsOn) {
        int last = starts.limit() - 1;
        int bucket = token >>> shift;
        return starts.get(Integer.compareUnsigned(bucket, last) < 0 ? bucket + bucketsOn : last);
    }
}
