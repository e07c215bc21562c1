package io.tailrace.worker.jinja;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Iterator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values put into a pattern: {@code '%s %.2f' % (...)}, filter {@code format}, and {@code '{} {name}'.format(...)}. */
final class Formats {
    private static final Pattern PERCENT = Pattern.compile("%([%sd]|(?:\\.(\\d{1,2}))?f)?");
    private static final Pattern BRACES = Pattern.compile("(\\{\\{|}})|\\{([a-zA-Z_]\\w*)?}|[{}]");
    private static final int DIGITS = 6;

    private Formats() {}

    static String percent(Rendering at, String pattern, List<Object> values) {
        Iterator<Object> rest = values.iterator();
        StringBuilder out = new StringBuilder();
        Matcher fields = PERCENT.matcher(pattern);
        while (fields.find()) {
            fields.appendReplacement(out, "");
            out.append(fields.group().equals("%%") ? "%" : field(at, fields, rest));
            at.requireText(out.length());
        }
        if (rest.hasNext()) {
            throw JinjaException.leftOut("a format with more values than fields");
        }
        return at.spendText(fields.appendTail(out).toString());
    }

    private static String field(Rendering at, MatchResult field, Iterator<Object> values) {
        String kind = field.group(1);
        if (kind == null) {
            throw JinjaException.leftOut("a field other than %s, %d, %f and %.2f");
        }
        if (!values.hasNext()) {
            throw new JinjaException("'%' has fewer values than fields");
        }
        Object value = values.next();
        if (kind.equals("s")) {
            return Printing.text(at, value);
        }
        if (!Numbers.isNumber(value)) {
            throw value instanceof Undefined missing
                    ? missing.refuse()
                    : new JinjaException("'%%%s' wants a number, got %s".formatted(kind, Values.type(value)));
        }
        if (kind.equals("d")) {
            return Long.toString(value instanceof Double number ? Numbers.truncated(number) : Numbers.whole(value));
        }
        return fixed(Numbers.floating(value), field.group(2) == null ? DIGITS : Integer.parseInt(field.group(2)));
    }

    private static String fixed(double value, int digits) {
        BigDecimal exact = new BigDecimal(Math.abs(value)).setScale(digits, RoundingMode.HALF_EVEN);
        return (Math.copySign(1, value) < 0 ? "-" : "") + exact.toPlainString();
    }

    static String braces(Rendering at, String pattern, Arguments arguments) {
        Iterator<Object> rest = arguments.positional().iterator();
        StringBuilder out = new StringBuilder();
        Matcher fields = BRACES.matcher(pattern);
        while (fields.find()) {
            fields.appendReplacement(out, "");
            String name = fields.group(2);
            if (fields.group(1) != null) {
                out.append(fields.group().charAt(0));
            } else if (name != null && arguments.named().containsKey(name)) {
                out.append(Printing.text(at, arguments.named().get(name)));
            } else if (fields.group().equals("{}") && rest.hasNext()) {
                out.append(Printing.text(at, rest.next()));
            } else if (name != null || fields.group().equals("{}")) {
                throw new JinjaException("format is not given the value of " + fields.group());
            } else {
                throw JinjaException.leftOut("a field other than {} and {name}");
            }
            at.requireText(out.length());
        }
        return at.spendText(fields.appendTail(out).toString());
    }
}
