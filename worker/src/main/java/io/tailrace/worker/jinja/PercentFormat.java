package io.tailrace.worker.jinja;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Python's {@code '%s %d' % (...)} and the filter {@code format}: texts, whole numbers, and floating ones with fixed digits. */
final class PercentFormat {
    private static final Pattern FIELD = Pattern.compile(
            "%(?:\\((?<key>[^()]*)\\))?(?<flags>[-+ 0#]*)(?<width>\\d*)(?:\\.(?<digits>\\d*))?(?<kind>.?)",
            Pattern.DOTALL);
    private static final int WIDTH_LETTERS_MAX = 6;

    private final Rendering at;
    private final List<Object> values;
    private final Object map;
    private int next;

    private PercentFormat(Rendering at, List<Object> values, Object map) {
        this.at = at;
        this.values = values;
        this.map = map;
    }

    /** The pattern with values in place of its fields; named fields take theirs from a map. */
    static String format(Rendering at, String pattern, Arguments arguments, Object map) {
        PercentFormat format = new PercentFormat(at, arguments.positional(), map);
        Matcher fields = FIELD.matcher(pattern);
        StringBuilder out = new StringBuilder();
        int from = 0;
        while (fields.find()) {
            out.append(pattern, from, fields.start());
            out.append(format.field(fields));
            at.requireText(out.length());
            from = fields.end();
        }
        boolean mayBeLeft = map instanceof Map || Values.isList(map) || map instanceof Range;
        if (format.next < format.values.size() && !mayBeLeft) {
            throw new JinjaException("'%' has more values than fields");
        }
        return at.spendText(out.append(pattern.substring(from)).toString());
    }

    private String field(Matcher field) {
        String kind = field.group("kind");
        if (kind.equals("%")) {
            return "%";
        }
        String flags = field.group("flags");
        int width = number(field.group("width"), 0);
        int digits = number(field.group("digits"), -1);
        Object value = value(field.group("key"));
        String text = switch (kind) {
            case "s" -> cut(Printing.text(at, value), digits);
            case "r" -> cut(Printing.shown(at, value), digits);
            case "d", "i", "u" -> signed(whole(value, true).toString(), flags);
            case "x" -> signed(whole(value, false).toString(16), flags);
            case "X" -> signed(whole(value, false).toString(16).toUpperCase(Locale.ROOT), flags);
            case "o" -> signed(whole(value, false).toString(8), flags);
            case "f", "F" -> signed(fixed(value, digits < 0 ? 6 : digits), flags);
            default -> throw new JinjaException("'%%%s' is not for chat templates".formatted(kind));
        };
        boolean text0 = kind.equals("s") || kind.equals("r");
        return wide(text, width, flags, !text0);
    }

    private static int number(String digits, int otherwise) {
        if (digits == null) {
            return otherwise;
        }
        if (digits.length() > WIDTH_LETTERS_MAX) {
            throw new JinjaException("a field of '%' is too wide");
        }
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    private Object value(String key) {
        if (key != null) {
            if (map instanceof Map<?, ?> known && known.containsKey(key)) {
                return known.get(key);
            }
            throw new JinjaException("'%' finds no '" + key + "'");
        }
        if (next >= values.size()) {
            throw new JinjaException("'%' has fewer values than fields");
        }
        return values.get(next++);
    }

    private String cut(String text, int digits) {
        return digits < 0 || digits >= Text.length(text) ? text : text.substring(0, text.offsetByCodePoints(0, digits));
    }

    private static java.math.BigInteger whole(Object value, boolean cut) {
        if (value instanceof Double number && cut) {
            return Numbers.whole(Numbers.truncated(number));
        }
        if (!Numbers.isWhole(value)) {
            throw value instanceof Undefined missing
                    ? missing.refuse()
                    : new JinjaException("'%d' wants a number, got " + Values.type(value));
        }
        return Numbers.whole(value);
    }

    private static String fixed(Object value, int digits) {
        if (!Numbers.isNumber(value)) {
            throw value instanceof Undefined missing
                    ? missing.refuse()
                    : new JinjaException("'%f' wants a number, got " + Values.type(value));
        }
        double number = Numbers.floating(value);
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            return Numbers.shown(number);
        }
        String fixed = new BigDecimal(Math.abs(number))
                .setScale(digits, RoundingMode.HALF_EVEN)
                .toPlainString();
        return Math.copySign(1, number) < 0 ? "-" + fixed : fixed;
    }

    private static String signed(String number, String flags) {
        if (number.startsWith("-")) {
            return number;
        }
        return flags.contains("+") ? "+" + number : flags.contains(" ") ? " " + number : number;
    }

    private String wide(String text, int width, String flags, boolean number) {
        if (flags.contains("-")) {
            return TextMethods.padded(at, text, width, " ", 0);
        }
        if (!number || !flags.contains("0")) {
            return TextMethods.padded(at, text, width, " ", 2);
        }
        boolean sign = "+- ".indexOf(text.charAt(0)) >= 0;
        String digits = sign ? text.substring(1) : text;
        return (sign ? text.substring(0, 1) : "") + TextMethods.padded(at, digits, sign ? width - 1 : width, "0", 2);
    }
}
