package io.tailrace.tap;

import io.tailrace.worker.model.TextTokenizer;

/** One token a character, its number plus 10; 1 begins a text where special tokens are asked for. */
final class CharTokenizer implements TextTokenizer {
    static final int BEGIN = 1;
    static final int END = 2;
    private static final int FIRST = 10;

    @Override
    public int vocabularySize() {
        return FIRST + Character.MAX_VALUE + 1;
    }

    @Override
    public int tokenCharsMax() {
        return 1;
    }

    @Override
    public String fingerprint() {
        return "characters";
    }

    @Override
    public int[] encode(String text, boolean specialTokens) {
        int begin = specialTokens ? 1 : 0;
        int[] ids = new int[begin + text.length()];
        if (specialTokens) {
            ids[0] = BEGIN;
        }
        for (int i = 0; i < text.length(); i++) {
            ids[begin + i] = FIRST + text.charAt(i);
        }
        return ids;
    }

    @Override
    public String decode(int[] tokens) {
        throw new AssertionError("a tap decodes nothing");
    }

    @Override
    public String text(int token) {
        throw new AssertionError("a tap decodes nothing");
    }

    @Override
    public TextStream stream(int[] before) {
        throw new AssertionError("a tap decodes nothing");
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
