package io.tailrace.worker.jinja;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What stands between two values. */
final class Operators {
    private Operators() {}

    static JinjaException refuse(String operator, Object left, Object right) {
        if (left instanceof Undefined missing) {
            return missing.refuse();
        }
        if (right instanceof Undefined missing) {
            return missing.refuse();
        }
        return new JinjaException(
                "'%s' does not go between %s and %s".formatted(operator, Values.type(left), Values.type(right)));
    }

    static Object apply(Rendering at, String operator, Object left, Object right) {
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return Numbers.isWhole(left) && Numbers.isWhole(right)
                    ? whole(operator, left, right)
                    : floating(operator, Numbers.floating(left), Numbers.floating(right));
        }
        return switch (operator) {
            case "+" -> joined(at, left, right);
            case "*" -> repeated(at, left, right);
            case "%" -> {
                if (left instanceof String pattern) {
                    List<Object> values = right instanceof Tuple tuple ? tuple : Values.listOf(right);
                    yield PercentFormat.format(at, pattern, Arguments.of(values), right);
                }
                throw refuse(operator, left, right);
            }
            default -> throw refuse(operator, left, right);
        };
    }

    private static Object joined(Rendering at, Object left, Object right) {
        if (left instanceof String one && right instanceof String other) {
            return at.spendText(one, other);
        }
        boolean lists = Values.isList(left) && Values.isList(right);
        if (!lists && !(left instanceof Tuple && right instanceof Tuple)) {
            throw refuse("+", left, right);
        }
        List<Object> all = new ArrayList<>((List<?>) left);
        all.addAll((List<?>) right);
        at.spend(all.size());
        return lists ? all : new Tuple(all);
    }

    private static Object repeated(Rendering at, Object left, Object right) {
        Object value = Numbers.isWhole(left) ? right : left;
        Object count = Numbers.isWhole(left) ? left : right;
        if (!Numbers.isWhole(count)) {
            throw refuse("*", left, right);
        }
        if (value instanceof String text) {
            int times = times(count, text.length(), Rendering.TEXT_CHARS_MAX);
            return at.spendText(text.repeat(times));
        }
        if (!Values.isList(value) && !(value instanceof Tuple)) {
            throw refuse("*", left, right);
        }
        List<?> items = (List<?>) value;
        int times = times(count, items.size(), Rendering.ITEMS_MAX);
        at.spend(items.size() * times);
        List<Object> all = new ArrayList<>(items.size() * times);
        Collections.nCopies(times, items).forEach(all::addAll);
        return value instanceof Tuple ? new Tuple(all) : all;
    }

    private static int times(Object count, int size, int max) {
        BigInteger times = Numbers.whole(count).max(BigInteger.ZERO);
        if (size == 0) {
            return 0;
        }
        if (times.compareTo(BigInteger.valueOf(max / size)) > 0) {
            throw new JinjaException("'*' makes more than %d letters or items".formatted(max));
        }
        return times.intValue();
    }

    private static Object whole(String operator, Object left, Object right) {
        if (left instanceof Long one && right instanceof Long other && isShort(one) && isShort(other)) {
            return shortened(operator, one, other);
        }
        return large(operator, left, right);
    }

    private static Object shortened(String operator, long left, long right) {
        return switch (operator) {
            case "+" -> left + right;
            case "-" -> left - right;
            case "*" -> left * right;
            default -> large(operator, left, right);
        };
    }

    private static Object large(String operator, Object left, Object right) {
        BigInteger one = Numbers.whole(left);
        BigInteger other = Numbers.whole(right);
        return switch (operator) {
            case "+" -> Numbers.of(one.add(other));
            case "-" -> Numbers.of(one.subtract(other));
            case "*" -> Numbers.of(one.multiply(other));
            case "//" -> Numbers.of(divided(one, other)[0]);
            case "%" -> Numbers.of(divided(one, other)[1]);
            case "/" -> floating(operator, Numbers.floating(left), Numbers.floating(right));
            default -> power(one, other);
        };
    }

    /** So that no sum and no product of two overflows. */
    private static boolean isShort(long value) {
        return value == (int) value;
    }

    /** Rounded down, and what is left. */
    private static BigInteger[] divided(BigInteger left, BigInteger right) {
        if (right.signum() == 0) {
            throw new JinjaException("a number is divided by zero");
        }
        BigInteger[] parts = left.divideAndRemainder(right);
        boolean below = parts[1].signum() != 0 && parts[1].signum() != right.signum();
        return below ? new BigInteger[] {parts[0].subtract(BigInteger.ONE), parts[1].add(right)} : parts;
    }

    private static Object power(BigInteger base, BigInteger exponent) {
        if (exponent.signum() < 0) {
            return floating("**", Numbers.floating(Numbers.of(base)), Numbers.floating(Numbers.of(exponent)));
        }
        boolean flat = base.abs().compareTo(BigInteger.ONE) <= 0;
        if (flat) {
            return Numbers.of(
                    exponent.signum() == 0 ? BigInteger.ONE : exponent.testBit(0) ? base : base.multiply(base));
        }
        if (exponent.bitLength() > 20 || (long) base.bitLength() * exponent.intValue() > 20_000) {
            throw new JinjaException("a number is too large");
        }
        return Numbers.of(base.pow(exponent.intValue()));
    }

    private static Object floating(String operator, double left, double right) {
        boolean divides = operator.equals("/") || operator.equals("//") || operator.equals("%");
        if (divides && right == 0) {
            throw new JinjaException("a number is divided by zero");
        }
        return switch (operator) {
            case "+" -> left + right;
            case "-" -> left - right;
            case "*" -> left * right;
            case "/" -> left / right;
            case "//" -> floor(left, right);
            case "%" -> modulo(left, right);
            default -> powerOf(left, right);
        };
    }

    private static double powerOf(double left, double right) {
        double power = Math.pow(left, right);
        boolean finite = !Double.isInfinite(left) && !Double.isInfinite(right);
        if (finite
                && (Double.isInfinite(power) || (Double.isNaN(power) && !Double.isNaN(left) && !Double.isNaN(right)))) {
            throw new JinjaException("a power is no number");
        }
        return power;
    }

    private static double modulo(double left, double right) {
        double rest = left % right;
        if (rest == 0) {
            return Math.copySign(0, right);
        }
        return rest < 0 != right < 0 ? rest + right : rest;
    }

    private static double floor(double left, double right) {
        double rest = left % right;
        double quotient = (left - rest) / right;
        if (rest != 0 && rest < 0 != right < 0) {
            quotient -= 1;
        }
        if (quotient == 0) {
            return Math.copySign(0, left / right);
        }
        double floor = Math.floor(quotient);
        return quotient - floor > 0.5 ? floor + 1 : floor;
    }

    static Object negative(Object value) {
        if (Numbers.isWhole(value)) {
            return Numbers.of(Numbers.whole(value).negate());
        }
        if (value instanceof Double number) {
            return -number;
        }
        throw sign("-", value);
    }

    static Object positive(Object value) {
        if (Numbers.isNumber(value)) {
            return value instanceof Boolean ? Numbers.of(Numbers.whole(value)) : value;
        }
        throw sign("+", value);
    }

    private static JinjaException sign(String sign, Object value) {
        return value instanceof Undefined missing
                ? missing.refuse()
                : new JinjaException("'%s' does not go before a %s".formatted(sign, Values.type(value)));
    }
}
