package io.tailrace.suffix;

/** A text of token ids that occurrences point into: the own context, a segment, the worker's fresh generations. */
public interface TokenText {
    /** Marks a document's end; no token id is negative. */
    int TERMINATOR = -1;

    /**
     * The token at a position, or {@link #TERMINATOR} at a document's end and at any position outside the text.
     *
     * @param position where in the text
     * @return a token id or {@link #TERMINATOR}
     */
    int token(int position);

    /**
     * How many equal documents the one at a position stands for, at least 1.
     *
     * @param position where in the text
     * @return how many
     */
    default int copies(int position) {
        return 1;
    }
}
