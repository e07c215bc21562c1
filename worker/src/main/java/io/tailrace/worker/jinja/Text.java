package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Texts as Python counts and cuts them: by code points, with Python's idea of white space and of lines. */
final class Text {
    private static final Pattern LINE_END = Pattern.compile("\\r\\n|[\\n-\\r\\x1c-\\x1e\\x85\\u2028\\u2029]");
    private static final Pattern SPACES = Pattern.compile("[\\t-\\r\\x1c-\\x20\\x85\\p{Z}]+");

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

    static List<Object> lines(String text) {
        return withoutEmptyEnd(LINE_END.split(text, -1));
    }

    /** Cut at white space, so many times; the rest is one piece. */
    static List<Object> words(String text, int most) {
        String rest = strip(text, null, true, most < 0);
        return rest.isEmpty() ? new ArrayList<>() : withoutEmptyEnd(SPACES.split(rest, most < 0 ? -1 : most + 1));
    }

    private static List<Object> withoutEmptyEnd(String... parts) {
        int last = parts.length - 1;
        return new ArrayList<>(Arrays.asList(parts).subList(0, parts[last].isEmpty() ? last : parts.length));
    }

    /** The texts of values, with a text between them. */
    static String joined(Rendering at, String between, List<Object> items) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < items.size(); i++) {
            String text = Printing.text(at, items.get(i));
            at.requireText((long) all.length() + text.length() + between.length());
            all.append(i == 0 ? "" : between).append(text);
        }
        return all.toString();
    }

    /** By code points. */
    static int compare(String left, String right) {
        return Arrays.compare(left.codePoints().toArray(), right.codePoints().toArray());
    }
}
