package io.tailrace.worker.model;

/** One token a character: space, a to z. Token 0 ends answers and has no text. */
public class LetterTokenizer implements TextTokenizer {
    public static final int VOCABULARY = 28;
    public static final int END = 0;
    private static final int SPACE = 1;

    @Override
    public int vocabularySize() {
        return VOCABULARY;
    }

    @Override
    public int tokenCharsMax() {
        return 1;
    }

    @Override
    public String fingerprint() {
        return "letters";
    }

    @Override
    public int[] encode(String text, boolean specialTokens) {
        return text.toLowerCase(java.util.Locale.ROOT)
                .chars()
                .map(letter -> letter >= 'a' && letter <= 'z' ? letter - 'a' + 2 : SPACE)
                .toArray();
    }

    @Override
    public String decode(int[] tokens) {
        StringBuilder text = new StringBuilder();
        for (int token : tokens) {
            text.append(letter(token));
        }
        return text.toString();
    }

    @Override
    public String text(int token) {
        return token == END ? "<end>" : letter(token);
    }

    @Override
    public TextTokenizer.TextStream stream(int[] before) {
        return new TextTokenizer.TextStream() {
            @Override
            public String append(int token) {
                return letter(token);
            }

            @Override
            public String finish() {
                return "";
            }
        };
    }

    @Override
    public void close() {
        // Holds nothing.
    }

    private static String letter(int token) {
        return token == END ? "" : token == SPACE ? " " : Character.toString('a' + token - 2);
    }
}
