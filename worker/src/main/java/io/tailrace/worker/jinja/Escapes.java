package io.tailrace.worker.jinja;

/** Escapes within the quotes of a text. */
final class Escapes {
    private static final String LETTERS = "abfnrtv\\'\"\n";
    private static final String[] MEANT = {"\u0007", "\b", "\f", "\n", "\r", "\t", "\u000b", "\\", "'", "\"", ""};
    private static final String LEFT_OUT = "UN01234567";

    private Escapes() {}

    /** What the text means. */
    static String read(String text, int line) {
        StringBuilder meant = new StringBuilder(text.length());
        int from = 0;
        for (int i = text.indexOf('\\'); i >= 0; i = text.indexOf('\\', from)) {
            meant.append(text, from, i);
            char letter = text.charAt(i + 1);
            int known = LETTERS.indexOf(letter);
            int digits = letter == 'x' ? 2 : letter == 'u' ? 4 : 0;
            if (LEFT_OUT.indexOf(letter) >= 0) {
                throw JinjaException.leftOut("escape '\\%s'".formatted(letter)).at(line);
            }
            if (digits > 0) {
                meant.append(code(text, i + 2, digits, line));
            } else {
                meant.append(known < 0 ? text.substring(i, i + 2) : MEANT[known]);
            }
            from = i + 2 + digits;
        }
        return meant.append(text.substring(from)).toString();
    }

    private static char code(String text, int from, int digits, int line) {
        int code = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = i < text.length() && text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0) {
                throw new JinjaException("an escape in a text is broken", line);
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }
}
