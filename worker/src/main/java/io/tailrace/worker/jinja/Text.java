package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.List;

/** Texts as Python counts and cuts them: by code points, with Python's idea of white space and of lines. */
final class Text {
    private Text() {}

    static boolean isSpace(int letter) {
        return (letter >= '\t' && letter <= '\r')
                || (letter >= 0x1c && letter <= 0x20)
                || letter == 0x85
                || (letter > 0x85 && Character.isSpaceChar(letter));
    }

    static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    /** Letters as texts of their own. */
    static List<Object> letters(String text) {
        List<Object> letters = new ArrayList<>(text.length());
        text.codePoints().forEach(letter -> letters.add(Character.toString(letter)));
        return letters;
    }

    static String slice(String text, Range range) {
        int[] letters = text.codePoints().toArray();
        StringBuilder slice = new StringBuilder();
        for (int i = 0; i < range.size(); i++) {
            slice.appendCodePoint(letters[range.at(i)]);
        }
        return slice.toString();
    }

    /** Without the given letters at its ends; null: white space. */
    static String strip(String text, String letters, boolean left, boolean right) {
        int from = 0;
        int to = text.length();
        while (left && from < to && isOf(text.codePointAt(from), letters)) {
            from += Character.charCount(text.codePointAt(from));
        }
        while (right && from < to && isOf(text.codePointBefore(to), letters)) {
            to -= Character.charCount(text.codePointBefore(to));
        }
        return text.substring(from, to);
    }

    private static boolean isOf(int letter, String letters) {
        return letters == null ? isSpace(letter) : letters.indexOf(letter) >= 0;
    }

    static List<Object> lines(String text, boolean keepEnds) {
        List<Object> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            if (isLineEnd(text.charAt(i))) {
                boolean two = text.charAt(i) == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
                int next = two ? i + 2 : i + 1;
                lines.add(text.substring(from, keepEnds ? next : i));
                from = next;
                i = next - 1;
            }
        }
        if (from < text.length()) {
            lines.add(text.substring(from));
        }
        return lines;
    }

    private static boolean isLineEnd(char letter) {
        return (letter >= '\n' && letter <= '\r')
                || (letter >= 0x1c && letter <= 0x1e)
                || letter == 0x85
                || letter == 0x2028
                || letter == 0x2029;
    }

    /** By code points. */
    static int compare(String left, String right) {
        int at = 0;
        int shorter = Math.min(left.length(), right.length());
        while (at < shorter && left.charAt(at) == right.charAt(at)) {
            at++;
        }
        if (at == shorter) {
            return Integer.compare(left.length(), right.length());
        }
        boolean inside = at > 0 && Character.isHighSurrogate(left.charAt(at - 1));
        int from = inside ? at - 1 : at;
        return Integer.compare(left.codePointAt(from), right.codePointAt(from));
    }
}
