package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Arguments.Bound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The methods of texts. */
final class TextMethods {
    static final Map<String, Routine> ALL = all();

    private TextMethods() {}

    /** A method that takes so many arguments by position. */
    private interface Taking {
        Object apply(Rendering at, String text, Bound arguments);
    }

    private static Map<String, Routine> all() {
        Map<String, Routine> all = new HashMap<>();
        taking(all, "upper", 0, 0, (at, text, given) -> upper(text));
        taking(all, "lower", 0, 0, (at, text, given) -> lower(text));
        taking(all, "capitalize", 0, 0, (at, text, given) -> capitalized(text));
        taking(all, "title", 0, 0, (at, text, given) -> titled(text));
        taking(all, "strip", 0, 1, (at, text, given) -> Text.strip(text, given.text(0), true, true));
        taking(all, "lstrip", 0, 1, (at, text, given) -> Text.strip(text, given.text(0), true, false));
        taking(all, "rstrip", 0, 1, (at, text, given) -> Text.strip(text, given.text(0), false, true));
        taking(all, "startswith", 1, 1, (at, text, given) -> isAtEnd(text, given.get(0), true));
        taking(all, "endswith", 1, 1, (at, text, given) -> isAtEnd(text, given.get(0), false));
        taking(all, "removeprefix", 1, 1, (at, text, given) -> without(text, given.text(0), true));
        taking(all, "removesuffix", 1, 1, (at, text, given) -> without(text, given.text(0), false));
        taking(all, "replace", 2, 3, (at, text, given) -> replaced(at, text, given));
        taking(all, "find", 1, 1, (at, text, given) -> place(text, text.indexOf(given.text(0))));
        taking(all, "rfind", 1, 1, (at, text, given) -> place(text, text.lastIndexOf(given.text(0))));
        taking(all, "count", 1, 1, (at, text, given) -> occurrences(text, given.text(0)));
        taking(all, "join", 1, 1, TextMethods::joined);
        all.put("split", (at, text, arguments) -> split(at, (String) text, arguments, false));
        all.put("rsplit", (at, text, arguments) -> split(at, (String) text, arguments, true));
        taking(all, "splitlines", 0, 0, (at, text, given) -> counted(at, Text.lines(text)));
        all.put("format", (at, text, arguments) -> Formats.braces(at, (String) text, arguments));
        Methods.leaveOut(all, "casefold", "encode", "expandtabs", "format_map", "index", "maketrans", "rindex");
        Methods.leaveOut(all, "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower");
        Methods.leaveOut(all, "isnumeric", "isprintable", "isspace", "istitle", "isupper", "partition", "rpartition");
        Methods.leaveOut(all, "center", "ljust", "rjust", "swapcase", "translate", "zfill");
        return all;
    }

    private static void taking(Map<String, Routine> all, String name, int required, int most, Taking method) {
        all.put(name, (at, value, arguments) -> {
            String text = (String) value;
            at.spend(text.length() / 64);
            Object result = method.apply(at, text, arguments.positional(name, required, most));
            return result instanceof String made ? at.spendText(made) : result;
        });
    }

    private static List<Object> counted(Rendering at, List<Object> parts) {
        at.spend(parts.size());
        return parts;
    }

    static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    static String capitalized(String text) {
        int first = text.isEmpty() ? 0 : Character.charCount(text.codePointAt(0));
        return headed(text.substring(0, first)) + lower(text.substring(first));
    }

    /** The letter that begins a word. */
    private static String headed(String letter) {
        String upper = upper(letter);
        if (Text.length(upper) == 1) {
            return Character.toString(Character.toTitleCase(letter.codePointAt(0)));
        }
        int first = upper.offsetByCodePoints(0, Math.min(1, upper.length()));
        return upper.substring(0, first) + lower(upper.substring(first));
    }

    private static String titled(String text) {
        StringBuilder titled = new StringBuilder();
        boolean inside = false;
        for (Object each : Text.letters(text)) {
            String letter = (String) each;
            int code = letter.codePointAt(0);
            titled.append(inside ? lower(letter) : headed(letter));
            inside = Character.isUpperCase(code) || Character.isLowerCase(code) || Character.isTitleCase(code);
        }
        return titled.toString();
    }

    private static boolean isAtEnd(String text, Object wanted, boolean start) {
        for (Object end : wanted instanceof Tuple several ? several : Values.listOf(wanted)) {
            if (!(end instanceof String part)) {
                throw new JinjaException("startswith and endswith want texts, got " + Values.type(end));
            }
            if (start ? text.startsWith(part) : text.endsWith(part)) {
                return true;
            }
        }
        return false;
    }

    private static String without(String text, String part, boolean start) {
        if (!isAtEnd(text, part, start)) {
            return text;
        }
        return start ? text.substring(part.length()) : text.substring(0, text.length() - part.length());
    }

    private static String replaced(Rendering at, String text, Bound given) {
        return replaced(at, text, given.text(0), given.text(1), given.whole(2, -1));
    }

    /** With so many parts replaced; all, if that is below 0. */
    static String replaced(Rendering at, String text, String old, String by, int most) {
        at.requireText(text.length() + occurrences(text, old) * (by.length() - old.length()));
        StringBuilder all = new StringBuilder();
        int from = 0;
        int left = most < 0 ? Integer.MAX_VALUE : most;
        for (int i = text.indexOf(old); i >= 0 && left > 0; i = text.indexOf(old, from)) {
            all.append(text, from, i).append(by);
            from = i + old.length();
            left--;
        }
        return all.append(text.substring(from)).toString();
    }

    private static long occurrences(String text, String part) {
        if (part.isEmpty()) {
            throw JinjaException.leftOut("looking for a text without letters");
        }
        long count = 0;
        for (int i = text.indexOf(part); i >= 0; i = text.indexOf(part, i + part.length())) {
            count++;
        }
        return count;
    }

    /** Counted in code points. */
    private static long place(String text, int index) {
        return index < 0 ? -1 : text.codePointCount(0, index);
    }

    private static Object joined(Rendering at, String text, Bound given) {
        List<Object> parts = Values.list(at, given.get(0));
        if (!parts.stream().allMatch(String.class::isInstance)) {
            throw new JinjaException("join wants texts");
        }
        return Text.joined(at, text, parts);
    }

    private static List<Object> split(Rendering at, String text, Arguments arguments, boolean last) {
        Bound given = arguments.bind("split", 0, "sep", "maxsplit");
        int most = given.whole(1, -1);
        at.spendText(text);
        if (given.get(0) == null) {
            if (last && most >= 0) {
                throw JinjaException.leftOut("rsplit at so many blanks");
            }
            return counted(at, Text.words(text, most));
        }
        String by = given.text(0);
        if (by.isEmpty()) {
            throw new JinjaException("a text is not split by nothing");
        }
        return counted(at, last && most >= 0 ? fromEnd(text, by, most) : fromBegin(text, by, most));
    }

    private static List<Object> fromBegin(String text, String by, int most) {
        Pattern letters = Pattern.compile(by, Pattern.LITERAL);
        return new ArrayList<>(Arrays.asList(letters.split(text, most < 0 ? -1 : most + 1)));
    }

    private static List<Object> fromEnd(String text, String by, int most) {
        List<Object> parts = new ArrayList<>();
        String rest = text;
        for (int i = rest.lastIndexOf(by); i >= 0 && parts.size() < most; i = rest.lastIndexOf(by)) {
            parts.add(rest.substring(i + by.length()));
            rest = rest.substring(0, i);
        }
        parts.add(rest);
        Collections.reverse(parts);
        return parts;
    }
}
