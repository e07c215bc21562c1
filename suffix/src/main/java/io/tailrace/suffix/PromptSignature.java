package io.tailrace.suffix;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * What is kept of a prompt to find requests like it: hashes of up to {@value #HASHES_MAX} of its tokens.
 *
 * <p><b>Which tokens.</b> Of the distinct tokens among the prompt's last {@value #WINDOW_TOKENS}, those whose hash is smallest (bottom-k
 * sketch, Cohen and Kaplan 2007). The hash depends on the token id alone, so two prompts with common tokens choose the same ones among these,
 * and nothing about the lane need be known when a signature is made. Which common tokens are rare, and so say much, is weighed when
 * signatures are compared.
 *
 * <p><b>What it tells.</b> A hash has 16 bits. Who can read it knows which few token ids the prompt may have had there; neither their order nor
 * how often they stood.
 *
 * <p>Immutable; two bytes a hash.
 */
public final class PromptSignature {
    /** Most hashes of one prompt. */
    public static final int HASHES_MAX = 64;
    /** So many of a prompt's last tokens are looked at. */
    public static final int WINDOW_TOKENS = 200;
    /** Most bytes of one signature. */
    public static final int BYTES_MAX = HASHES_MAX * Character.BYTES;
    /** Stands where there is no hash. */
    public static final char NO_HASH = 0;

    /** Of a prompt that is not known, or shall leave no signature. */
    public static final PromptSignature NONE = new PromptSignature(new char[0]);

    /** Ascending, each once, none {@link #NO_HASH}. */
    private final char[] hashes;

    private PromptSignature(char[] hashes) {
        this.hashes = hashes;
    }

    /**
     * The signature of a prompt.
     *
     * @param prompt its tokens
     * @return {@link #NONE} of an empty one
     */
    public static PromptSignature of(int[] prompt) {
        return of(prompt, prompt.length);
    }

    /**
     * The signature of the prompt {@code tokens[0..length)}.
     *
     * @param tokens token ids
     * @param length how many of them are the prompt
     * @return {@link #NONE} of an empty one
     */
    public static PromptSignature of(int[] tokens, int length) {
        int from = Math.max(0, length - WINDOW_TOKENS);
        int[] mixed = new int[length - from];
        for (int i = from; i < length; i++) {
            mixed[i - from] = mixed(tokens[i]) ^ Integer.MIN_VALUE;
        }
        Arrays.sort(mixed);
        char[] smallest = new char[HASHES_MAX];
        int count = 0;
        for (int i = 0; i < mixed.length && count < HASHES_MAX; i++) {
            if (i == 0 || mixed[i] != mixed[i - 1]) {
                smallest[count++] = stored(mixed[i]);
            }
        }
        return ofSorted(smallest, count);
    }

    private static PromptSignature ofSorted(char[] found, int count) {
        Arrays.sort(found, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || found[i] != found[i - 1]) {
                found[distinct++] = found[i];
            }
        }
        return distinct == 0 ? NONE : new PromptSignature(Arrays.copyOf(found, distinct));
    }

    /**
     * A signature from {@link #bytes}.
     *
     * @param bytes from their position to their limit, which are left as they are
     * @return the signature
     * @throws IllegalArgumentException if they are none
     */
    public static PromptSignature ofBytes(ByteBuffer bytes) {
        int size = bytes.remaining();
        if (size > BYTES_MAX || size % Character.BYTES != 0) {
            throw new IllegalArgumentException(
                    "a signature must be an even number of bytes, at most " + BYTES_MAX + ", got " + size);
        }
        char[] hashes = new char[size / Character.BYTES];
        bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).asCharBuffer().get(hashes);
        return ofHashes(hashes);
    }

    /**
     * A signature of these hashes.
     *
     * @param hashes at most {@value #HASHES_MAX}, ascending, each once, none 0; kept, not copied
     * @return the signature
     * @throws IllegalArgumentException if they are none; it does not say what they are, for messages are logged
     */
    public static PromptSignature ofHashes(char[] hashes) {
        if (hashes.length > HASHES_MAX) {
            throw new IllegalArgumentException(
                    "a signature must have at most " + HASHES_MAX + " hashes, got " + hashes.length);
        }
        for (int i = 0; i < hashes.length; i++) {
            if (hashes[i] <= (i == 0 ? NO_HASH : hashes[i - 1])) {
                throw new IllegalArgumentException("a signature's hashes must ascend from 1 on, number " + i + " of "
                        + hashes.length + " does not");
            }
        }
        return hashes.length == 0 ? NONE : new PromptSignature(hashes);
    }

    /** {@return its hashes, two bytes each, little-endian, ascending} */
    public byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(hashes.length * Character.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asCharBuffer().put(hashes);
        return bytes.array();
    }

    /** {@return how many hashes it has} */
    public int size() {
        return hashes.length;
    }

    /**
     * One of its hashes.
     *
     * @param number from 0; they ascend
     * @return 1 to 65,535, or {@link #NO_HASH} behind the last
     */
    public char hash(int number) {
        return number < hashes.length ? hashes[number] : NO_HASH;
    }

    /** Its lower half, which says nothing of how it compares with others: that the upper half does. */
    private static char stored(int mixed) {
        char hash = (char) mixed;
        return hash == NO_HASH ? 1 : hash;
    }

    /** The finalizer of MurmurHash3: each token id has another value. */
    private static int mixed(int token) {
        int mixed = token;
        mixed = (mixed ^ (mixed >>> 16)) * 0x85EBCA6B;
        mixed = (mixed ^ (mixed >>> 13)) * 0xC2B2AE35;
        return mixed ^ (mixed >>> 16);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PromptSignature that && Arrays.equals(hashes, that.hashes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(hashes);
    }

    /** How many hashes; not which. */
    @Override
    public String toString() {
        return hashes.length + " hashes";
    }
}
