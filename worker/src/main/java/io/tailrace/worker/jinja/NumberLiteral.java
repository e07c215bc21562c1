package io.tailrace.worker.jinja;

import java.math.BigInteger;
import java.util.Locale;

/** A number of a template, with {@code _} between digits or not. */
record NumberLiteral(Number value, int end) {
    private static final int DIGITS_MAX = 1_000;

    /** The number that begins somewhere; null if it is too long. */
    static NumberLiteral at(String source, int from, boolean mayBeFloat) {
        int whole = radix(source, from) == 10 ? digits(source, from, 10) : from;
        int fraction = whole > from && charAt(source, whole) == '.' ? digits(source, whole + 1, 10) : whole + 1;
        int mantissa = fraction > whole + 1 ? fraction : whole;
        int end = whole > from ? exponent(source, mantissa) : from;
        if (mayBeFloat && end > whole) {
            return end - from > DIGITS_MAX
                    ? null
                    : new NumberLiteral(Double.valueOf(plain(source.substring(from, end))), end);
        }
        return integer(source, from, whole);
    }

    private static NumberLiteral integer(String source, int from, int whole) {
        int radix = radix(source, from);
        int begin = radix == 10 ? from : from + 2;
        int end = whole;
        if (radix != 10) {
            end = digits(source, charAt(source, begin) == '_' ? begin + 1 : begin, radix);
        } else if (source.charAt(from) == '0') {
            end = from + 1;
            while (charAt(source, end) == '0' || (charAt(source, end) == '_' && charAt(source, end + 1) == '0')) {
                end++;
            }
        }
        return end - begin > DIGITS_MAX
                ? null
                : new NumberLiteral(Numbers.of(new BigInteger(plain(source.substring(begin, end)), radix)), end);
    }

    private static int radix(String source, int from) {
        int radix = source.charAt(from) != '0'
                ? 10
                : switch (Character.toLowerCase(charAt(source, from + 1))) {
                    case 'x' -> 16;
                    case 'o' -> 8;
                    case 'b' -> 2;
                    default -> 10;
                };
        int digit = charAt(source, from + 2) == '_' ? from + 3 : from + 2;
        return radix == 10 || digit(source, digit, radix) ? radix : 10;
    }

    private static int exponent(String source, int from) {
        if (Character.toLowerCase(charAt(source, from)) != 'e') {
            return from;
        }
        char sign = charAt(source, from + 1);
        int begin = sign == '+' || sign == '-' ? from + 2 : from + 1;
        int end = digits(source, begin, 10);
        return end > begin ? end : from;
    }

    private static int digits(String source, int from, int radix) {
        int to = from;
        while (digit(source, to, radix) || (to > from && charAt(source, to) == '_' && digit(source, to + 1, radix))) {
            to++;
        }
        return to;
    }

    private static boolean digit(String source, int at, int radix) {
        char letter = charAt(source, at);
        return letter < 128 && Character.digit(letter, radix) >= 0;
    }

    private static char charAt(String source, int at) {
        return at < source.length() ? source.charAt(at) : 0;
    }

    private static String plain(String digits) {
        return digits.replace("_", "").toLowerCase(Locale.ROOT);
    }
}
