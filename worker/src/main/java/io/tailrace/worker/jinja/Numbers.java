package io.tailrace.worker.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Numbers: {@link Long} and {@link Double}, never infinite. A whole number from outside may be larger; it is printed, and not reckoned
 * with.
 */
final class Numbers {
    private static final int DIGITS_OF_DOUBLE = 17;

    private Numbers() {}

    static boolean isNumber(Object value) {
        return isWhole(value) || value instanceof Double;
    }

    static boolean isWhole(Object value) {
        return value instanceof Long || value instanceof Boolean || value instanceof BigInteger;
    }

    static JinjaException tooLarge() {
        return new JinjaException("a number is too large for chat templates");
    }

    static long whole(Object value) {
        if (value instanceof Boolean truth) {
            return truth ? 1 : 0;
        }
        if (value instanceof BigInteger) {
            throw tooLarge();
        }
        return (Long) value;
    }

    static double floating(Object value) {
        return value instanceof Double number ? number : whole(value);
    }

    static Double finite(double value) {
        if (!Double.isFinite(value)) {
            throw tooLarge();
        }
        return value;
    }

    /** Without its fraction. */
    static Long truncated(double value) {
        if (Math.abs(value) >= Long.MAX_VALUE) {
            throw tooLarge();
        }
        return (long) value;
    }

    static int compare(Object left, Object right) {
        return isWhole(left) && isWhole(right)
                ? Long.compare(whole(left), whole(right))
                : exact(left).compareTo(exact(right));
    }

    private static BigDecimal exact(Object value) {
        return value instanceof Double number ? new BigDecimal(number) : BigDecimal.valueOf(whole(value));
    }

    /** The fewest digits that mean the same number. */
    static String shown(double value) {
        String sign = Math.copySign(1, value) < 0 ? "-" : "";
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
        return String.format(Locale.ROOT, "%se%+03d", mantissa, exponent);
    }
}
