package io.tailrace.e2e.loop;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * What is kept of a prompt beside its tail, and where it stands among bytes.
 *
 * @param firstHashes four, of its signature
 * @param firstCopies a bit for each of its answer's first 64 tokens: it is copied
 */
record PromptTraces(long firstHashes, long firstCopies) {
    /** Of an answer long enough, with tokens that are copied and tokens that are not. */
    static PromptTraces of(int[] prompt, int[] answer) {
        BitSet copied = RememberedAnswer.copied(prompt, answer);
        if (answer.length < Long.SIZE || copied.cardinality() < 10 || copied.cardinality() > answer.length - 10) {
            throw new IllegalArgumentException("what it copies is not to be told from other answers");
        }
        return new PromptTraces(
                ByteBuffer.wrap(PromptSignature.of(prompt).bytes()).getLong(), copied.toLongArray()[0]);
    }

    boolean signatureIn(byte[] bytes) {
        for (int at = 0; at + Long.BYTES <= bytes.length; at++) {
            if (ByteBuffer.wrap(bytes, at, Long.BYTES).getLong() == firstHashes) {
                return true;
            }
        }
        return false;
    }

    /** They begin at any bit of a byte. */
    boolean copiesIn(byte[] bytes) {
        long[] words = BitSet.valueOf(bytes).toLongArray();
        for (int bit = 0; bit + Long.SIZE <= Long.SIZE * words.length; bit++) {
            int word = bit >>> 6;
            long high = bit % Long.SIZE == 0 ? 0 : words[word + 1] << -bit;
            if ((words[word] >>> bit | high) == firstCopies) {
                return true;
            }
        }
        return false;
    }
}
