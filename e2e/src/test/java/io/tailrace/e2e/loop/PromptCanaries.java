package io.tailrace.e2e.loop;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Prompts of tokens that ascend one by one and that no other prompt has, and where two and more of them stand among bytes. */
public final class PromptCanaries {
    private final int from;
    private final int prompts;
    private final int tokens;

    /**
     * @param from the first prompt's first token
     * @param prompts how many there are at most
     * @param tokens of each
     */
    public PromptCanaries(int from, int prompts, int tokens) {
        this.from = from;
        this.prompts = prompts;
        this.tokens = tokens;
    }

    public int[] prompt(int number) {
        int first = from + number * tokens;
        return IntStream.range(first, first + tokens).toArray();
    }

    /** A prompt's last tokens, so many. */
    public Set<Integer> tail(int number, int length) {
        int end = from + (number + 1) * tokens;
        return IntStream.range(end - length, end).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Canaries that stand beside the next one among the bytes: as four bytes of either order, or as Avro writes ints. A single one may be
     * there by chance.
     */
    public Set<Integer> in(byte[] bytes) {
        Set<Integer> found = new TreeSet<>();
        for (int at = 0; at + Integer.BYTES <= bytes.length; at++) {
            addPair(big(bytes, at), big(bytes, at + Integer.BYTES), found);
            addPair(Integer.reverseBytes(big(bytes, at)), Integer.reverseBytes(big(bytes, at + Integer.BYTES)), found);
            addPair(varint(bytes, at), varint(bytes, at + varintBytes(bytes, at)), found);
        }
        return found;
    }

    private void addPair(int one, int other, Set<Integer> found) {
        if (one >= from && one < from + prompts * tokens && other == one + 1) {
            found.add(one);
            found.add(other);
        }
    }

    /** The int that begins here, its first byte the highest; 0 if there is none. */
    private static int big(byte[] bytes, int at) {
        return at + Integer.BYTES > bytes.length
                ? 0
                : ByteBuffer.wrap(bytes, at, Integer.BYTES).getInt();
    }

    /** The zig-zag varint that begins here; 0 if there is none. */
    private static int varint(byte[] bytes, int at) {
        int length = varintBytes(bytes, at);
        int raw = 0;
        for (int i = length - 1; i >= 0; i--) {
            raw = (raw << 7) | (bytes[at + i] & 0x7f);
        }
        return (raw >>> 1) ^ -(raw & 1);
    }

    /** 0: none begins here. */
    private static int varintBytes(byte[] bytes, int at) {
        for (int i = at; i < Math.min(bytes.length, at + 5); i++) {
            if (bytes[i] >= 0) {
                return i + 1 - at;
            }
        }
        return 0;
    }
}
