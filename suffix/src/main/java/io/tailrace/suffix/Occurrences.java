package io.tailrace.suffix;

import java.util.Arrays;

/**
 * Places whose left context matches a context's end, as flat arrays that are reused from draft to draft: nothing is
 * allocated once the arrays have grown to their working size. Not thread-safe.
 */
public final class Occurrences {
    private TokenText[] texts = new TokenText[64];
    private int[] positions = new int[64];
    private int[] matchLengths = new int[64];
    private int[] sources = new int[64];
    private int size;

    public void clear() {
        size = 0;
    }

    public int size() {
        return size;
    }

    /**
     * Adds an occurrence.
     *
     * @param text where it is
     * @param position position of the last matched token: the text goes on at {@code position + 1}
     * @param matchLength how many tokens match, at least 1
     * @param source ordinal of its {@link io.tailrace.suffix.draft.SourceKind}
     */
    public void add(TokenText text, int position, int matchLength, int source) {
        if (size == positions.length) {
            grow();
        }
        texts[size] = text;
        positions[size] = position;
        matchLengths[size] = matchLength;
        sources[size] = source;
        size++;
    }

    /** Forgets the occurrences from {@code newSize} on. */
    public void truncate(int newSize) {
        size = Math.min(size, newSize);
    }

    public TokenText text(int occurrence) {
        return texts[occurrence];
    }

    public int position(int occurrence) {
        return positions[occurrence];
    }

    public int matchLength(int occurrence) {
        return matchLengths[occurrence];
    }

    public int source(int occurrence) {
        return sources[occurrence];
    }

    private void grow() {
        int capacity = size * 2;
        texts = Arrays.copyOf(texts, capacity);
        positions = Arrays.copyOf(positions, capacity);
        matchLengths = Arrays.copyOf(matchLengths, capacity);
        sources = Arrays.copyOf(sources, capacity);
    }
}
