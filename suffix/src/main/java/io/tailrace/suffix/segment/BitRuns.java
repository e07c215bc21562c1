package io.tailrace.suffix.segment;

import java.nio.LongBuffer;
import java.util.BitSet;

/** Runs of bits inside longer rows of them, which begin at any bit: read and written a word at a time. */
final class BitRuns {
    private static final int WORD_LOG = 6;

    private BitRuns() {}

    /** The bits {@code row[from..from + length)}. */
    static BitSet read(LongBuffer row, int from, int length) {
        if (length == 0) {
            return new BitSet();
        }
        int first = from >>> WORD_LOG;
        int last = (from + length - 1) >>> WORD_LOG;
        long[] words = new long[((length - 1) >>> WORD_LOG) + 1];
        for (int i = 0; i < words.length; i++) {
            long next = first + i < last ? row.get(first + i + 1) : 0;
            words[i] = row.get(first + i) >>> from | beyond(next, from);
        }
        words[words.length - 1] &= -1L >>> -length;
        return BitSet.valueOf(words);
    }

    /** Sets the bits of a run that begins at {@code row[at]}. */
    static void write(BitSet run, long[] row, int at) {
        long[] words = run.toLongArray();
        int first = at >>> WORD_LOG;
        for (int i = 0; i < words.length; i++) {
            row[first + i] |= words[i] << at;
            long carried = words[i] >>> 1 >>> ~at;
            if (carried != 0) {
                row[first + i + 1] |= carried;
            }
        }
    }

    /** What of the next word belongs to one that begins at bit {@code from}: shifted by 64 bits, nothing. */
    private static long beyond(long next, int from) {
        return next << 1 << ~from;
    }
}
