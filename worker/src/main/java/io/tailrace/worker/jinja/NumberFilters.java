package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Arguments.Bound;
import io.tailrace.worker.jinja.Filters.Filter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Filters that make numbers. */
final class NumberFilters {
    private static final int LETTERS_MAX = 1_000;
    private static final Pattern WHOLE =
            Pattern.compile("([-+]?)(?:0[xX]|0[oO]|0[bB])?_?([0-9a-zA-Z]+(?:_[0-9a-zA-Z]+)*)");
    private static final Pattern FLOATING = Pattern.compile(
            "[-+]?(?:\\d+(?:_\\d+)*\\.?(?:\\d+(?:_\\d+)*)?|\\.\\d+(?:_\\d+)*)(?:[eE][-+]?\\d+(?:_\\d+)*)?");

    private NumberFilters() {}

    static void addTo(Map<String, Filter> all) {
        all.put("abs", NumberFilters::abs);
        all.put("int", NumberFilters::whole);
        all.put("float", NumberFilters::floating);
        all.put("round", NumberFilters::round);
    }

    private static Object abs(Rendering at, Object value, Arguments arguments) {
        arguments.positional("abs", 0, 0);
        Object positive = Operators.positive(value);
        return positive instanceof Double number
                ? (Object) Math.abs(number)
                : Numbers.of(Numbers.whole(positive).abs());
    }

    private static Object whole(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("int", 0, "default", "base");
        requireDefined(value);
        Object otherwise = given.get(0, 0L);
        int base = given.whole(1, 10);
        if (value instanceof String text) {
            BigInteger read = read(Text.strip(text, null, true, true), base);
            if (read != null) {
                return Numbers.of(read);
            }
            Double floating = read(text);
            boolean finite = floating != null && !Double.isNaN(floating) && !Double.isInfinite(floating);
            return finite ? (Object) Numbers.truncated(floating) : otherwise;
        }
        if (value instanceof Double number) {
            return Double.isNaN(number) || Double.isInfinite(number) ? otherwise : Numbers.truncated(number);
        }
        return Numbers.isWhole(value) ? Numbers.of(Numbers.whole(value)) : otherwise;
    }

    private static BigInteger read(String text, int base) {
        Matcher parts = WHOLE.matcher(text);
        if (text.length() > LETTERS_MAX || !parts.matches()) {
            return null;
        }
        String digits = text.substring(parts.start(2));
        String prefix = text.substring(parts.end(1)).length() > 1
                ? Methods.lower(text.substring(parts.end(1), parts.end(1) + 2))
                : "";
        int named = prefix.equals("0x") ? 16 : prefix.equals("0o") ? 8 : prefix.equals("0b") ? 2 : 10;
        int radix = base == 0 ? named : base;
        boolean prefixed = named != 10 && named == radix;
        String number = prefixed ? digits : text.substring(parts.end(1));
        boolean zeros = base == 0 && named == 10 && number.length() > 1 && number.charAt(0) == '0';
        try {
            BigInteger read = new BigInteger(number.replace("_", ""), radix);
            return number.startsWith("_") || (zeros && read.signum() != 0)
                    ? null
                    : parts.group(1).equals("-") ? read.negate() : read;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static Double read(String text) {
        String stripped = Text.strip(text, null, true, true);
        if (stripped.length() > LETTERS_MAX) {
            return null;
        }
        if (FLOATING.matcher(stripped).matches()) {
            return Double.valueOf(stripped.replace("_", ""));
        }
        String word =
                Methods.lower(stripped.startsWith("+") || stripped.startsWith("-") ? stripped.substring(1) : stripped);
        double sign = stripped.startsWith("-") ? -1 : 1;
        return switch (word) {
            case "nan" -> Double.NaN;
            case "inf", "infinity" -> sign * Double.POSITIVE_INFINITY;
            default -> null;
        };
    }

    private static Object floating(Rendering at, Object value, Arguments arguments) {
        Object otherwise = arguments.bind("float", 0, "default").get(0, 0.0);
        requireDefined(value);
        if (value instanceof String text) {
            Double read = read(text);
            return read == null ? otherwise : read;
        }
        return Numbers.isNumber(value) ? Numbers.floating(value) : otherwise;
    }

    private static void requireDefined(Object value) {
        if (value instanceof Undefined missing) {
            throw missing.refuse();
        }
    }

    private static Object round(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("round", 0, "precision", "method");
        int digits = Math.max(-400, Math.min(400, given.whole(0, 0)));
        String method = given.text(1, "common");
        if (!Numbers.isNumber(value)) {
            throw value instanceof Undefined missing
                    ? missing.refuse()
                    : new JinjaException("a %s is not rounded".formatted(Values.type(value)));
        }
        if (method.equals("common")) {
            return Numbers.isWhole(value)
                    ? Numbers.of(new BigDecimal(Numbers.whole(value))
                            .setScale(Math.min(0, digits), RoundingMode.HALF_EVEN)
                            .toBigInteger())
                    : (Object) Numbers.rounded((Double) value, digits);
        }
        if (!method.equals("ceil") && !method.equals("floor")) {
            throw new JinjaException("numbers are rounded common, ceil or floor");
        }
        double scale = Math.pow(10, digits);
        double scaled = Numbers.floating(value) * scale;
        return (method.equals("ceil") ? Math.ceil(scaled) : Math.floor(scaled)) / scale;
    }
}
