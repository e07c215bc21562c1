package io.tailrace.worker.djl;

import io.tailrace.worker.model.TextTokenizer;
import java.util.Arrays;

/**
 * Text of a growing list of tokens. A token's text depends on its neighbour to the left (is there a space to strip?), so each
 * piece is decoded together with the piece before it, and what that one gave alone is taken off. A piece that ends within a
 * character decodes to U+FFFD at its end and waits for more tokens, at most {@link #HELD_TOKENS_MAX}: a character has four
 * bytes, so more of them are no character.
 *
 * <p>Cost: two decodings of a few tokens each an appended token, whatever the length of the text.
 */
final class DecodedStream implements TextTokenizer.TextStream {
    static final int HELD_TOKENS_MAX = 16;
    private static final char BROKEN = '\ufffd';
    /** So many tokens before the text are its neighbours, as in vLLM. */
    private static final int NEIGHBOURS_MAX = 5;

    private final TextTokenizer tokenizer;
    private int[] window = new int[2 * HELD_TOKENS_MAX];
    private int told;
    private int length;

    /** @param before tokens of the text that this one goes on; one that ends within a character is none */
    DecodedStream(TextTokenizer tokenizer, int[] before) {
        this.tokenizer = tokenizer;
        int[] end = Arrays.copyOfRange(before, Math.max(0, before.length - NEIGHBOURS_MAX), before.length);
        String text = tokenizer.decode(end);
        if (!text.isEmpty() && text.charAt(text.length() - 1) != BROKEN) {
            System.arraycopy(end, 0, window, 0, end.length);
            told = length = end.length;
        }
    }

    @Override
    public String append(int token) {
        if (length == window.length) {
            window = Arrays.copyOf(window, 2 * length);
        }
        window[length++] = token;
        String text = untold();
        boolean whole = !text.isEmpty() && text.charAt(text.length() - 1) != BROKEN;
        if (!whole && length - told < HELD_TOKENS_MAX) {
            return "";
        }
        forgetTold();
        return text;
    }

    @Override
    public String finish() {
        String text = untold();
        told = length = 0;
        return text;
    }

    private String untold() {
        String before = tokenizer.decode(Arrays.copyOf(window, told));
        String all = tokenizer.decode(Arrays.copyOf(window, length));
        return all.substring(Math.min(before.length(), all.length()));
    }

    /** What was just told becomes the left neighbour of what comes. */
    private void forgetTold() {
        System.arraycopy(window, told, window, 0, length - told);
        length -= told;
        told = length;
    }
}
