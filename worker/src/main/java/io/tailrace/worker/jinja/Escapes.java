package io.tailrace.worker.jinja;

/** Escapes within the quotes of a text. */
final class Escapes {
    private static final String LETTERS = "abfnrtv\\'\"";
    private static final String MEANT = "\u0007\b\f\n\r\t\u000b\\'\"";

    private Escapes() {}

    /** What the text means; null if an escape is broken. */
    static String read(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder meant = new StringBuilder(text.length());
        int at = 0;
        while (at >= 0 && at < text.length()) {
            char letter = text.charAt(at);
            if (letter == '\\') {
                at = escape(text, at + 1, meant);
            } else {
                meant.append(letter);
                at++;
            }
        }
        return at < 0 ? null : meant.toString();
    }

    /** Where the text goes on, or -1. */
    private static int escape(String text, int at, StringBuilder meant) {
        char letter = text.charAt(at);
        int known = LETTERS.indexOf(letter);
        if (known >= 0) {
            meant.append(MEANT.charAt(known));
            return at + 1;
        }
        return switch (letter) {
            case '\n' -> at + 1;
            case 'x' -> code(text, at + 1, 2, meant);
            case 'u' -> code(text, at + 1, 4, meant);
            case 'U' -> code(text, at + 1, 8, meant);
            case 'N' -> named(text, at + 1, meant);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> octal(text, at, meant);
            default -> {
                meant.append('\\').append(letter);
                yield at + 1;
            }
        };
    }

    private static int code(String text, int at, int digits, StringBuilder meant) {
        if (at + digits > text.length()) {
            return -1;
        }
        long code = 0;
        for (int i = at; i < at + digits; i++) {
            int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
            code = digit < 0 ? Long.MIN_VALUE : code * 16 + digit;
        }
        if (code < 0 || code > Character.MAX_CODE_POINT) {
            return -1;
        }
        meant.appendCodePoint((int) code);
        return at + digits;
    }

    private static int octal(String text, int at, StringBuilder meant) {
        int code = 0;
        int to = at;
        while (to < text.length() && to < at + 3 && text.charAt(to) >= '0' && text.charAt(to) <= '7') {
            code = code * 8 + text.charAt(to++) - '0';
        }
        meant.append((char) code);
        return to;
    }

    private static int named(String text, int at, StringBuilder meant) {
        int end = text.indexOf('}', at);
        if (end < 0 || text.charAt(at) != '{') {
            return -1;
        }
        try {
            meant.appendCodePoint(Character.codePointOf(text.substring(at + 1, end)));
        } catch (IllegalArgumentException e) {
            return -1;
        }
        return end + 1;
    }
}
