package io.tailrace.worker.model;

/**
 * Turns tokens into text as they come. What it has given out joins to exactly what decoding all tokens at once gives; it holds
 * back bytes of a character that is not whole yet. One thread.
 */
public interface TextStream {
    /** Takes one token and returns the text that is now certain; often empty for a part of a character. */
    String append(int token);

    /** The rest, at the end of the answer: what never became whole is given as U+FFFD. */
    String finish();
}
