package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Arguments.Bound;
import io.tailrace.worker.jinja.Methods.Method;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;

/** The methods of texts. */
final class TextMethods {
    /** Methods that Python has and chat templates do not use: defined, but not to be called. */
    private static final List<String> OTHERS = List.of(
            "casefold",
            "encode",
            "expandtabs",
            "format_map",
            "isascii",
            "isidentifier",
            "isprintable",
            "istitle",
            "maketrans",
            "swapcase",
            "translate");

    static final Map<String, Method> ALL = all();

    private TextMethods() {}

    /** A method that makes a text of a text and takes nothing. */
    private interface Plain {
        String apply(String text);
    }

    /** A method that takes so many arguments by position. */
    private interface Taking {
        Object apply(Rendering at, String text, Bound arguments);
    }

    private static Map<String, Method> all() {
        Map<String, Method> all = new HashMap<>();
        plain(all, "upper", text -> text.toUpperCase(Locale.ROOT));
        plain(all, "lower", Methods::lower);
        plain(all, "capitalize", TextMethods::capitalized);
        plain(all, "title", TextMethods::titled);
        letters(all, "isalpha", Character::isLetter);
        letters(all, "isalnum", letter -> Character.isLetter(letter) || isNumeric(letter));
        letters(all, "isdecimal", Character::isDigit);
        letters(all, "isdigit", letter -> Character.isDigit(letter) || isRaised(letter));
        letters(all, "isnumeric", TextMethods::isNumeric);
        letters(all, "isspace", Text::isSpace);
        taking(all, "isupper", 0, 0, (at, text, given) -> isCased(text, true));
        taking(all, "islower", 0, 0, (at, text, given) -> isCased(text, false));
        taking(all, "strip", 0, 1, (at, text, given) -> Text.strip(text, letters(given), true, true));
        taking(all, "lstrip", 0, 1, (at, text, given) -> Text.strip(text, letters(given), true, false));
        taking(all, "rstrip", 0, 1, (at, text, given) -> Text.strip(text, letters(given), false, true));
        taking(all, "startswith", 1, 3, (at, text, given) -> isAtEnd(text, given, true));
        taking(all, "endswith", 1, 3, (at, text, given) -> isAtEnd(text, given, false));
        taking(
                all,
                "removeprefix",
                1,
                1,
                (at, text, given) -> text.startsWith(given.text(0))
                        ? text.substring(given.text(0).length())
                        : text);
        taking(
                all,
                "removesuffix",
                1,
                1,
                (at, text, given) -> text.endsWith(given.text(0))
                        ? text.substring(0, text.length() - given.text(0).length())
                        : text);
        taking(
                all,
                "replace",
                2,
                3,
                (at, text, given) -> replaced(at, text, given.text(0), given.text(1), given.whole(2, -1)));
        taking(all, "find", 1, 3, (at, text, given) -> found(text, given, true));
        taking(all, "rfind", 1, 3, (at, text, given) -> found(text, given, false));
        taking(all, "index", 1, 3, (at, text, given) -> required(found(text, given, true)));
        taking(all, "rindex", 1, 3, (at, text, given) -> required(found(text, given, false)));
        taking(all, "count", 1, 3, (at, text, given) -> occurrences(part(text, given), given.text(0)));
        taking(all, "join", 1, 1, TextMethods::joined);
        taking(all, "partition", 1, 1, (at, text, given) -> parted(text, given.text(0), true));
        taking(all, "rpartition", 1, 1, (at, text, given) -> parted(text, given.text(0), false));
        taking(all, "zfill", 1, 1, (at, text, given) -> zeros(at, text, given.whole(0, 0)));
        taking(all, "ljust", 1, 2, (at, text, given) -> padded(at, text, given, 0));
        taking(all, "rjust", 1, 2, (at, text, given) -> padded(at, text, given, 2));
        taking(all, "center", 1, 2, (at, text, given) -> padded(at, text, given, 1));
        all.put("split", (at, text, arguments) -> Splitting.split(at, (String) text, arguments, false));
        all.put("rsplit", (at, text, arguments) -> Splitting.split(at, (String) text, arguments, true));
        all.put(
                "splitlines",
                (at, text, arguments) -> counted(
                        at,
                        Text.lines(
                                (String) text,
                                arguments.bind("splitlines", 0, "keepends").truth(0, false))));
        all.put("format", (at, text, arguments) -> BraceFormat.format(at, (String) text, arguments));
        for (String other : OTHERS) {
            all.put(other, (at, text, arguments) -> {
                throw new JinjaException("method '%s' of a text is not for chat templates".formatted(other));
            });
        }
        return all;
    }

    private static void plain(Map<String, Method> all, String name, Plain method) {
        taking(all, name, 0, 0, (at, text, given) -> method.apply(text));
    }

    private static void letters(Map<String, Method> all, String name, IntPredicate test) {
        taking(
                all,
                name,
                0,
                0,
                (at, text, given) -> !text.isEmpty() && text.codePoints().allMatch(test));
    }

    private static void taking(Map<String, Method> all, String name, int required, int most, Taking method) {
        all.put(name, (at, value, arguments) -> {
            String text = (String) value;
            at.spend(text.length() / 64);
            Object result = method.apply(at, text, arguments.positional(name, required, most));
            return result instanceof String made ? at.spendText(made) : result;
        });
    }

    static List<Object> counted(Rendering at, List<Object> parts) {
        at.spend(parts.size());
        return parts;
    }

    private static boolean isNumeric(int letter) {
        int type = Character.getType(letter);
        return type == Character.DECIMAL_DIGIT_NUMBER
                || type == Character.LETTER_NUMBER
                || type == Character.OTHER_NUMBER
                || isRaised(letter);
    }

    private static boolean isRaised(int letter) {
        return letter == 0xb2 || letter == 0xb3 || letter == 0xb9 || (letter >= 0x2070 && letter <= 0x2089);
    }

    private static boolean isCased(String text, boolean upper) {
        IntPredicate wrong = letter -> upper
                ? Character.isLowerCase(letter) || Character.isTitleCase(letter)
                : Character.isUpperCase(letter) || Character.isTitleCase(letter);
        IntPredicate right = upper ? Character::isUpperCase : Character::isLowerCase;
        return text.codePoints().noneMatch(wrong) && text.codePoints().anyMatch(right);
    }

    static String capitalized(String text) {
        if (text.isEmpty()) {
            return text;
        }
        int first = text.codePointAt(0);
        return headed(first) + Methods.lower(text.substring(Character.charCount(first)));
    }

    /** The letter that begins a word. */
    private static String headed(int letter) {
        int title = Character.toTitleCase(letter);
        return title == letter && !Character.isTitleCase(letter)
                ? firstUpper(Character.toString(letter).toUpperCase(Locale.ROOT))
                : Character.toString(title);
    }

    private static String firstUpper(String upper) {
        int first = Character.charCount(upper.codePointAt(0));
        return upper.substring(0, first) + Methods.lower(upper.substring(first));
    }

    private static String titled(String text) {
        StringBuilder titled = new StringBuilder();
        boolean inside = false;
        for (int i = 0; i < text.length(); ) {
            int letter = text.codePointAt(i);
            String whole = Character.toString(letter);
            titled.append(inside ? Methods.lower(whole) : headed(letter));
            inside = Character.isUpperCase(letter) || Character.isLowerCase(letter) || Character.isTitleCase(letter);
            i += whole.length();
        }
        return titled.toString();
    }

    private static String letters(Bound given) {
        return given.get(0) == null ? null : given.text(0);
    }

    /** The part of a text that the second and third argument say. */
    private static String part(String text, Bound given) {
        return given.has(1) || given.has(2)
                ? Text.slice(text, Range.slice(bound(given, 1), bound(given, 2), null, Text.length(text)))
                : text;
    }

    private static Object bound(Bound given, int index) {
        return given.get(index) == null ? null : (Object) (long) given.whole(index, 0);
    }

    private static boolean isAtEnd(String text, Bound given, boolean start) {
        String part = part(text, given);
        int length = Text.length(text);
        boolean outside = given.get(1) != null && given.whole(1, 0) > length;
        List<Object> ends = given.get(0) instanceof Tuple several ? several : List.of(given.text(0));
        for (Object end : ends) {
            if (!(end instanceof String wanted)) {
                throw new JinjaException("startswith and endswith want texts, got " + Values.type(end));
            }
            if (!outside && (start ? part.startsWith(wanted) : part.endsWith(wanted))) {
                return true;
            }
        }
        return false;
    }

    static String replaced(Rendering at, String text, String old, String by, int most) {
        if (most == 0) {
            return text;
        }
        long count = occurrences(text, old);
        long grown = text.length() + count * (by.length() - old.length());
        at.requireText(grown);
        if (most < 0 && !old.isEmpty()) {
            return text.replace(old, by);
        }
        return old.isEmpty() ? between(text, by, most) : some(text, old, by, most);
    }

    private static String some(String text, String old, String by, int most) {
        StringBuilder all = new StringBuilder();
        int from = 0;
        int left = most;
        for (int i = text.indexOf(old); i >= 0 && left > 0; i = text.indexOf(old, from)) {
            all.append(text, from, i).append(by);
            from = i + old.length();
            left--;
        }
        return all.append(text.substring(from)).toString();
    }

    private static String between(String text, String by, int most) {
        StringBuilder all = new StringBuilder();
        int left = most < 0 ? Integer.MAX_VALUE : most;
        for (Object letter : Text.letters(text)) {
            all.append(left-- > 0 ? by : "").append(letter);
        }
        return all.append(left > 0 ? by : "").toString();
    }

    /** Counted in code points, from the begin of the whole text. */
    private static long found(String text, Bound given, boolean first) {
        String part = part(text, given);
        String wanted = given.text(0);
        int length = Text.length(text);
        Range range = Range.slice(bound(given, 1), bound(given, 2), null, length);
        int at = first ? part.indexOf(wanted) : part.lastIndexOf(wanted);
        boolean outside = given.has(1) && given.whole(1, 0) > length;
        return at < 0 || outside ? -1 : part.codePointCount(0, at) + range.start;
    }

    private static long required(long index) {
        if (index < 0) {
            throw new JinjaException("index: the text has no such part");
        }
        return index;
    }

    private static long occurrences(String whole, String part) {
        if (part.isEmpty()) {
            return Text.length(whole) + 1L;
        }
        long count = 0;
        for (int i = whole.indexOf(part); i >= 0; i = whole.indexOf(part, i + part.length())) {
            count++;
        }
        return count;
    }

    private static Object joined(Rendering at, String text, Bound given) {
        StringBuilder all = new StringBuilder();
        boolean first = true;
        for (Iterator<Object> items = Values.iterate(given.get(0)); items.hasNext(); first = false) {
            at.spend(1);
            Object item = items.next();
            if (!(item instanceof String part)) {
                throw new JinjaException("join wants texts, got " + Values.type(item));
            }
            all.append(first ? "" : text).append(part);
            at.requireText(all.length());
        }
        return all.toString();
    }

    private static Object parted(String text, String by, boolean first) {
        if (by.isEmpty()) {
            throw new JinjaException("a text is not parted by nothing");
        }
        int at = first ? text.indexOf(by) : text.lastIndexOf(by);
        if (at < 0) {
            return new Tuple(first ? List.of(text, "", "") : List.of("", "", text));
        }
        return new Tuple(List.of(text.substring(0, at), by, text.substring(at + by.length())));
    }

    private static Object zeros(Rendering at, String text, int width) {
        int missing = Math.max(0, width - Text.length(text));
        at.requireText(missing);
        boolean sign = text.startsWith("-") || text.startsWith("+");
        String zeros = "0".repeat(missing);
        return sign ? text.charAt(0) + zeros + text.substring(1) : zeros + text;
    }

    /** With blanks or the like at the right (0), on both sides (1) or at the left (2). */
    private static Object padded(Rendering at, String text, Bound given, int side) {
        int width = given.whole(0, 0);
        String fill = given.text(1, " ");
        if (Text.length(fill) != 1) {
            throw new JinjaException("a text is filled up with one letter");
        }
        return padded(at, text, width, fill, side);
    }

    static String padded(Rendering at, String text, int width, String fill, int side) {
        int missing = Math.max(0, width - Text.length(text));
        at.requireText(missing);
        int left = side == 1 ? missing / 2 + (missing & width & 1) : side == 0 ? 0 : missing;
        return String.join("", Collections.nCopies(left, fill))
                + text
                + String.join("", Collections.nCopies(missing - left, fill));
    }
}
