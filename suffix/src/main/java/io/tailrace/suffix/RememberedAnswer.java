package io.tailrace.suffix;

import java.util.Arrays;
import java.util.BitSet;

/**
 * An answer as an index remembers it: its tokens, the last few of the prompt it answered, and a signature of that prompt.
 *
 * <p>Matches reach back from the answer into the prompt's tail, so the first tokens of a like answer can be drafted. Tokens of the tail
 * are never drafted, and nothing is counted that ends in it. By the signature, requests are found that are like the one it answered.
 *
 * @param promptTail the prompt's last tokens; none where it is not known, or shall not be kept
 * @param tokens the answer's
 * @param copied a bit for each of the answer's tokens: it stood in the prompt or earlier in the answer; null where the prompt is not known
 * @param signature the prompt's; {@link PromptSignature#NONE} where it is not known, or shall not be kept
 */
public record RememberedAnswer(int[] promptTail, int[] tokens, BitSet copied, PromptSignature signature) {
    /** Most tokens of a prompt that are kept. */
    public static final int TAIL_TOKENS_MAX = 32;
    /** So many are kept where nobody says otherwise: in chat formats they are the template's. */
    public static final int TAIL_TOKENS = 3;

    private static final int[] NONE = {};

    private static final int SMALL_IDS_LOG = 20;
    /** A bit for each small id: it is in the context. None is set between calls; 128 KiB a thread. */
    private static final ThreadLocal<long[]> CONTEXT =
            ThreadLocal.withInitial(() -> new long[1 << (SMALL_IDS_LOG - 6)]);

    /**
     * Checks the tail's length. An answer without tokens has neither tail nor signature: there is nothing to draft after it.
     *
     * @param promptTail the prompt's last tokens
     * @param tokens the answer's
     * @param copied which of them stood in their context before; null where the prompt is not known
     * @param signature the prompt's
     */
    public RememberedAnswer {
        if (promptTail.length > TAIL_TOKENS_MAX) {
            throw new IllegalArgumentException(
                    "a prompt's tail must be at most " + TAIL_TOKENS_MAX + " tokens, got " + promptTail.length);
        }
        promptTail = tokens.length == 0 ? NONE : promptTail;
        signature = tokens.length == 0 ? PromptSignature.NONE : signature;
    }

    /**
     * An answer of whose prompt no more than the tail is known.
     *
     * @param promptTail the prompt's last tokens
     * @param tokens the answer's
     */
    public RememberedAnswer(int[] promptTail, int[] tokens) {
        this(promptTail, tokens, PromptSignature.NONE);
    }

    /**
     * An answer of whose prompt no more than the tail and the signature are known.
     *
     * @param promptTail the prompt's last tokens
     * @param tokens the answer's
     * @param signature the prompt's
     */
    public RememberedAnswer(int[] promptTail, int[] tokens, PromptSignature signature) {
        this(promptTail, tokens, null, signature);
    }

    /**
     * An answer to a prompt that is not known.
     *
     * @param tokens the answer's
     * @return the answer
     */
    public static RememberedAnswer of(int[] tokens) {
        return new RememberedAnswer(NONE, tokens);
    }

    /**
     * An answer to a known prompt.
     *
     * @param prompt its tokens, of which the last are kept
     * @param tailTokens at most so many, 0 to {@link #TAIL_TOKENS_MAX}
     * @param tokens the answer's
     * @return the answer
     */
    public static RememberedAnswer of(int[] prompt, int tailTokens, int[] tokens) {
        return new RememberedAnswer(
                tail(prompt, tailTokens), tokens, copied(prompt, tokens), PromptSignature.of(prompt));
    }

    /**
     * Which tokens of an answer stood in its context before.
     *
     * @param prompt of the whole prompt
     * @param tokens the answer's
     * @return a bit for each that stood in the prompt or earlier in the answer
     */
    public static BitSet copied(int[] prompt, int[] tokens) {
        return areSmall(prompt) && areSmall(tokens) ? copiedSmall(prompt, tokens) : copiedAny(prompt, tokens);
    }

    private static boolean areSmall(int[] tokens) {
        int bits = 0;
        for (int token : tokens) {
            bits |= token;
        }
        return bits >>> SMALL_IDS_LOG == 0;
    }

    private static BitSet copiedSmall(int[] prompt, int[] tokens) {
        BitSet copied = new BitSet(tokens.length);
        long[] context = CONTEXT.get();
        for (int token : prompt) {
            context[token >>> 6] |= 1L << token;
        }
        for (int i = 0; i < tokens.length; i++) {
            int word = tokens[i] >>> 6;
            long bit = 1L << tokens[i];
            if ((context[word] & bit) != 0) {
                copied.set(i);
            }
            context[word] |= bit;
        }
        clear(context, prompt);
        clear(context, tokens);
        return copied;
    }

    private static void clear(long[] context, int[] tokens) {
        for (int token : tokens) {
            context[token >>> 6] = 0;
        }
    }

    private static BitSet copiedAny(int[] prompt, int[] tokens) {
        TokenSet context = new TokenSet(prompt.length + tokens.length);
        for (int token : prompt) {
            context.add(token);
        }
        BitSet copied = new BitSet(tokens.length);
        for (int i = 0; i < tokens.length; i++) {
            copied.set(i, !context.add(tokens[i]));
        }
        return copied;
    }

    /**
     * A prompt's last tokens.
     *
     * @param prompt its tokens
     * @param tailTokens at most so many, 0 to {@link #TAIL_TOKENS_MAX}
     * @return a copy of the last ones, or all if there are no more
     */
    public static int[] tail(int[] prompt, int tailTokens) {
        return Arrays.copyOfRange(prompt, Math.max(0, prompt.length - tailTokens), prompt.length);
    }

    /**
     * The tail, and after it the answer.
     *
     * @return the answer's own array where there is no tail
     */
    public int[] text() {
        if (promptTail.length == 0) {
            return tokens;
        }
        int[] text = Arrays.copyOf(promptTail, promptTail.length + tokens.length);
        System.arraycopy(tokens, 0, text, promptTail.length, tokens.length);
        return text;
    }

    /** By what the tokens are: which of them are copied, and the signature, are no part of what an answer says. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RememberedAnswer that
                && Arrays.equals(promptTail, that.promptTail)
                && Arrays.equals(tokens, that.tokens);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(promptTail) + Arrays.hashCode(tokens);
    }
}
