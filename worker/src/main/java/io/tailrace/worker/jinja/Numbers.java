package io.tailrace.worker.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as Python has them: whole ones, {@link Long} or {@link BigInteger} where that is too small, and {@link Double}. */
final class Numbers {
    /** Python refuses to print numbers with more than 4300 digits. */
    private static final int BITS_MAX = 14_000;

    private static final int DIGITS_OF_DOUBLE = 17;

    private Numbers() {}

    static boolean isNumber(Object value) {
        return isWhole(value) || value instanceof Double;
    }

    static boolean isWhole(Object value) {
        return value instanceof Long || value instanceof Boolean || value instanceof BigInteger;
    }

    static Number of(BigInteger value) {
        if (value.bitLength() > BITS_MAX) {
            throw new JinjaException("a number is too large");
        }
        return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
    }

    static BigInteger whole(Object value) {
        if (value instanceof Boolean truth) {
            return truth ? BigInteger.ONE : BigInteger.ZERO;
        }
        return value instanceof BigInteger large ? large : BigInteger.valueOf((Long) value);
    }

    static double floating(Object value) {
        if (value instanceof Boolean truth) {
            return truth ? 1 : 0;
        }
        double floating = ((Number) value).doubleValue();
        if (Double.isInfinite(floating) && !(value instanceof Double)) {
            throw new JinjaException("a whole number is too large for a floating one");
        }
        return floating;
    }

    static int compare(Object left, Object right) {
        if (isWhole(left) && isWhole(right)) {
            return left instanceof Long one && right instanceof Long other
                    ? Long.compare(one, other)
                    : whole(left).compareTo(whole(right));
        }
        double one = doubleOf(left);
        double other = doubleOf(right);
        if (Double.isInfinite(one) || Double.isInfinite(other) || Double.isNaN(one) || Double.isNaN(other)) {
            return one < other ? -1 : one > other ? 1 : 0;
        }
        return exact(left).compareTo(exact(right));
    }

    static boolean isNan(Object value) {
        return value instanceof Double number && number.isNaN();
    }

    private static double doubleOf(Object value) {
        return value instanceof Double number ? number : 0;
    }

    private static BigDecimal exact(Object value) {
        return value instanceof Double number ? new BigDecimal(number) : new BigDecimal(whole(value));
    }

    /** Without its fraction. */
    static Number truncated(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new JinjaException("%s is no whole number".formatted(shown(value)));
        }
        return of(new BigDecimal(value).toBigInteger());
    }

    /** Halves go to the even neighbour. */
    static double rounded(double value, int digits) {
        return Double.isNaN(value) || Double.isInfinite(value)
                ? value
                : Math.copySign(
                        new BigDecimal(value)
                                .setScale(digits, RoundingMode.HALF_EVEN)
                                .doubleValue(),
                        value);
    }

    /** The fewest digits that mean the same number. */
    static String shown(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        String sign = Math.copySign(1, value) < 0 ? "-" : "";
        if (Double.isInfinite(value)) {
            return sign + "inf";
        }
        double size = Math.abs(value);
        if (size == 0) {
            return sign + "0.0";
        }
        BigDecimal exact = new BigDecimal(size);
        BigDecimal digits = exact;
        for (int i = 1; i <= DIGITS_OF_DOUBLE; i++) {
            digits = exact.round(new MathContext(i, RoundingMode.HALF_EVEN));
            if (digits.doubleValue() == size) {
                break;
            }
        }
        return sign + placed(digits.stripTrailingZeros());
    }

    private static String placed(BigDecimal value) {
        int exponent = value.precision() - value.scale() - 1;
        if (exponent >= -4 && exponent < 16) {
            String plain = value.toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
        String digits = value.unscaledValue().toString();
        String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        return "%se%s%02d".formatted(mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
    }
}
