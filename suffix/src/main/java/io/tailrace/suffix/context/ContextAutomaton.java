package io.tailrace.suffix.context;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;

/** Suffix automaton of one request's tokens so far. */
public final class ContextAutomaton implements TokenText {
    public void reset() {
        throw new UnsupportedOperationException();
    }

    public void append(int token) {
        throw new UnsupportedOperationException();
    }

    public int length() {
        throw new UnsupportedOperationException();
    }

    /** The tokens so far; valid up to {@link #length()}, until the next append. */
    public int[] tokens() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int token(int position) {
        throw new UnsupportedOperationException();
    }

    /** Earlier occurrences of the context's end, along the suffix links: longest first, the latest place of each state. */
    public int occurrences(int countMax, int source, Occurrences into) {
        throw new UnsupportedOperationException();
    }

    /**
     * Occurrences of the context without its last {@code gap} tokens, shifted by the gap: the tokens in the gap differ, the
     * text may go on alike. Matches of at least {@code matchLengthMin}.
     */
    public int gappedOccurrences(int gap, int matchLengthMin, int countMax, int source, Occurrences into) {
        throw new UnsupportedOperationException();
    }
}
