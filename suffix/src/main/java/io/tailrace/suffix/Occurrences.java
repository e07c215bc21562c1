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
    /** What follows each: read where the place is found, while its neighbours are in the cache. */
    private int[] nexts = new int[64];

    private int size;

    /** None yet. */
    public Occurrences() {}

    /** Forgets all of them. */
    public void clear() {
        size = 0;
    }

    /** Forgets all of them, and what they were in: for whoever will not look for a while, and must not keep a text from going. */
    public void release() {
        clear();
        Arrays.fill(texts, null);
    }

    /** {@return how many there are} */
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
        add(text, position, matchLength, source, text.token(position + 1));
    }

    /**
     * Adds an occurrence of which it is known what follows.
     *
     * @param text where it is
     * @param position position of the last matched token
     * @param matchLength how many tokens match, at least 1
     * @param source ordinal of its {@link io.tailrace.suffix.draft.SourceKind}
     * @param next the token at {@code position + 1}
     */
    public void add(TokenText text, int position, int matchLength, int source, int next) {
        if (size == positions.length) {
            grow();
        }
        texts[size] = text;
        positions[size] = position;
        matchLengths[size] = matchLength;
        sources[size] = source;
        nexts[size] = next;
        size++;
    }

    /**
     * Adds those of another from {@code from} on.
     *
     * @param others where they are
     * @param from the first that is added
     */
    public void addAll(Occurrences others, int from) {
        for (int i = from; i < others.size; i++) {
            add(others.texts[i], others.positions[i], others.matchLengths[i], others.sources[i], others.nexts[i]);
        }
    }

    /**
     * Forgets the occurrences from {@code newSize} on.
     *
     * @param newSize how many stay
     */
    public void truncate(int newSize) {
        size = Math.min(size, newSize);
    }

    /**
     * Puts the occurrences from {@code from} on in order, longest match first, and keeps {@code countMax} of them. Those
     * before {@code middle} and those from it on must be in order already; at equal length the former come first.
     *
     * @param from where the first ordered part begins
     * @param middle where the second ordered part begins
     * @param countMax most to keep
     */
    public void mergeLongest(int from, int middle, int countMax) {
        for (int next = Math.max(middle, from + 1); next < size; next++) {
            int at = next;
            while (at > from && matchLengths[at - 1] < matchLengths[at]) {
                swap(at - 1, at);
                at--;
            }
        }
        truncate(from + countMax);
    }

    /**
     * Counts it to another source.
     *
     * @param occurrence its number, from 0
     * @param source {@link io.tailrace.suffix.draft.SourceKind#index()}
     */
    public void setSource(int occurrence, int source) {
        sources[occurrence] = source;
    }

    /**
     * Where it is.
     *
     * @param occurrence its number, from 0
     * @return the text that its position is in
     */
    public TokenText text(int occurrence) {
        return texts[occurrence];
    }

    /**
     * Where its last matched token stands.
     *
     * @param occurrence its number, from 0
     * @return a position in {@link #text}
     */
    public int position(int occurrence) {
        return positions[occurrence];
    }

    /**
     * How far it matches.
     *
     * @param occurrence its number, from 0
     * @return tokens, at least 1
     */
    public int matchLength(int occurrence) {
        return matchLengths[occurrence];
    }

    /**
     * Who found it.
     *
     * @param occurrence its number, from 0
     * @return {@link io.tailrace.suffix.draft.SourceKind#index()}
     */
    public int source(int occurrence) {
        return sources[occurrence];
    }

    /**
     * What its text goes on with.
     *
     * @param occurrence its number, from 0
     * @return the token after the last matched one
     */
    public int next(int occurrence) {
        return nexts[occurrence];
    }

    private void swap(int a, int b) {
        TokenText text = texts[a];
        texts[a] = texts[b];
        texts[b] = text;
        swap(positions, a, b);
        swap(matchLengths, a, b);
        swap(sources, a, b);
        swap(nexts, a, b);
    }

    private static void swap(int[] values, int a, int b) {
        int value = values[a];
        values[a] = values[b];
        values[b] = value;
    }

    private void grow() {
        int capacity = size * 2;
        texts = Arrays.copyOf(texts, capacity);
        positions = Arrays.copyOf(positions, capacity);
        matchLengths = Arrays.copyOf(matchLengths, capacity);
        sources = Arrays.copyOf(sources, capacity);
        nexts = Arrays.copyOf(nexts, capacity);
    }
}
