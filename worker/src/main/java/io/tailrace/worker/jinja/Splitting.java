package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Texts cut at white space or at another text. */
final class Splitting {
    private Splitting() {}

    static List<Object> split(Rendering at, String text, Arguments arguments, boolean last) {
        Arguments.Bound given = arguments.bind("split", 0, "sep", "maxsplit");
        int most = given.whole(1, -1) < 0 ? Integer.MAX_VALUE : given.whole(1, -1);
        at.spendText(text);
        if (given.get(0) == null) {
            return TextMethods.counted(at, last ? wordsFromEnd(text, most) : words(text, most));
        }
        String by = given.text(0);
        if (by.isEmpty()) {
            throw new JinjaException("a text is not split by nothing");
        }
        return TextMethods.counted(at, last ? fromEnd(text, by, most) : fromBegin(text, by, most));
    }

    private static List<Object> fromBegin(String text, String by, int most) {
        List<Object> parts = new ArrayList<>();
        int from = 0;
        for (int i = text.indexOf(by); i >= 0 && parts.size() < most; i = text.indexOf(by, from)) {
            parts.add(text.substring(from, i));
            from = i + by.length();
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static List<Object> fromEnd(String text, String by, int most) {
        List<Object> parts = new ArrayList<>();
        int to = text.length();
        int i = text.lastIndexOf(by);
        while (i >= 0 && parts.size() < most) {
            parts.add(text.substring(i + by.length(), to));
            to = i;
            i = text.lastIndexOf(by, to - by.length());
            i = to < by.length() ? -1 : i;
        }
        parts.add(text.substring(0, to));
        Collections.reverse(parts);
        return parts;
    }

    private static List<Object> words(String text, int most) {
        List<Object> parts = new ArrayList<>();
        String rest = Text.strip(text, null, true, false);
        while (!rest.isEmpty() && parts.size() < most) {
            int end = 0;
            while (end < rest.length() && !Text.isSpace(rest.charAt(end))) {
                end++;
            }
            parts.add(rest.substring(0, end));
            rest = Text.strip(rest.substring(end), null, true, false);
        }
        if (!rest.isEmpty()) {
            parts.add(rest);
        }
        return parts;
    }

    private static List<Object> wordsFromEnd(String text, int most) {
        List<Object> parts = new ArrayList<>();
        String rest = Text.strip(text, null, false, true);
        while (!rest.isEmpty() && parts.size() < most) {
            int begin = rest.length();
            while (begin > 0 && !Text.isSpace(rest.charAt(begin - 1))) {
                begin--;
            }
            parts.add(rest.substring(begin));
            rest = Text.strip(rest.substring(0, begin), null, false, true);
        }
        if (!rest.isEmpty()) {
            parts.add(rest);
        }
        Collections.reverse(parts);
        return parts;
    }
}
