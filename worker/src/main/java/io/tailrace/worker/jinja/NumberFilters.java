package io.tailrace.worker.jinja;

import java.util.Map;
import java.util.regex.Pattern;

/** Filters that make numbers. */
final class NumberFilters {
    private static final Pattern WHOLE = Pattern.compile("[-+]?\\d+", Pattern.UNICODE_CHARACTER_CLASS);
    private static final Pattern FLOATING = Pattern.compile("[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?");
    /** What is a number to Python, too. */
    private static final Pattern LEFT_OUT =
            Pattern.compile("[-+]?(?:nan|inf|infinity|[\\d.]+_[\\d_.e+-]*)", Pattern.CASE_INSENSITIVE);

    private NumberFilters() {}

    static void addTo(Map<String, Routine> all) {
        all.put("abs", NumberFilters::abs);
        all.put("int", NumberFilters::whole);
        all.put("float", NumberFilters::floating);
    }

    private static Object abs(Rendering at, Object value, Arguments arguments) {
        arguments.positional("abs", 0, 0);
        Object number = Operators.signed(false, value);
        return number instanceof Double floating
                ? (Object) Math.abs(floating)
                : Operators.signed((Long) number < 0, number);
    }

    private static Object whole(Rendering at, Object value, Arguments arguments) {
        Object otherwise = arguments.bind("int", 0, "default").get(0, 0L);
        Object number = value instanceof String text ? read(Text.strip(text, null, true, true)) : value;
        if (number instanceof Double floating) {
            return Numbers.truncated(floating);
        }
        return isNumber(number) ? (Object) Numbers.whole(number) : otherwise;
    }

    private static Object floating(Rendering at, Object value, Arguments arguments) {
        Object otherwise = arguments.bind("float", 0, "default").get(0, 0.0);
        Object number = value instanceof String text ? read(Text.strip(text, null, true, true)) : value;
        return isNumber(number) ? (Object) Numbers.floating(number) : otherwise;
    }

    private static boolean isNumber(Object value) {
        if (value instanceof Undefined missing) {
            throw missing.refuse();
        }
        return Numbers.isNumber(value);
    }

    /** A whole or floating number, or null. */
    private static Object read(String text) {
        if (LEFT_OUT.matcher(text).matches()) {
            throw JinjaException.leftOut("number '%s'".formatted(text));
        }
        if (WHOLE.matcher(text).matches()) {
            try {
                return Long.valueOf(text);
            } catch (NumberFormatException e) {
                throw Numbers.tooLarge();
            }
        }
        return FLOATING.matcher(text).matches() ? Numbers.finite(Double.parseDouble(text)) : null;
    }
}
