package io.tailrace.worker.model;

/** Text to token ids and back. Safe for any number of threads. */
public interface TextTokenizer extends AutoCloseable {
    /** Token ids are below this. */
    int vocabularySize();

    /** No token stands for more characters of a text. */
    int tokenCharsMax();

    /**
     * Names the tokenizer in segments and manifests: {@code sha256:} and the first 32 hexadecimal digits of the SHA-256 of what
     * decides its ids. Equal on every worker that reads the same tokenizer.
     */
    String fingerprint();

    /**
     * Token ids of a text.
     *
     * @param specialTokens whether the tokenizer adds what the model wants around a text (a begin token); not for rendered chats,
     *     which spell their special tokens out
     */
    int[] encode(String text, boolean specialTokens);

    /** The text of token ids; special tokens are left out. */
    String decode(int[] tokens);

    /** The text of one token as it stands inside a text, special tokens included; U+FFFD for each byte that is no whole character. */
    String text(int token);

    /**
     * Begins a text that grows token by token behind another. What a token says may depend on its neighbour: some decoders drop the space
     * before a text's first word.
     *
     * @param before token ids of the other
     */
    TextStream stream(int[] before);

    @Override
    void close();

    /**
     * Turns tokens into text as they come. What it has given out joins to exactly what decoding all tokens at once gives behind the text
     * before them; it holds back bytes of a character that is not whole yet. One thread.
     */
    interface TextStream {
        /** Takes one token and returns the text that is now certain; often empty for a part of a character. */
        String append(int token);

        /** The rest, at the end of the answer: what never became whole is given as U+FFFD. */
        String finish();
    }
}
