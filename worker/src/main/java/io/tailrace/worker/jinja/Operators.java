package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.List;

/** What stands between two values, or before one. */
final class Operators {
    private Operators() {}

    static JinjaException refuse(String operator, Object left, Object right) {
        if (left instanceof Undefined missing) {
            return missing.refuse();
        }
        if (right instanceof Undefined missing) {
            return missing.refuse();
        }
        return new JinjaException("'%s' does not go between %s and %s for chat templates"
                .formatted(operator, Values.type(left), Values.type(right)));
    }

    static Object apply(Rendering at, String operator, Object left, Object right) {
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            boolean whole = Numbers.isWhole(left) && Numbers.isWhole(right) && !operator.equals("/");
            return whole
                    ? (Object) whole(operator, Numbers.whole(left), Numbers.whole(right))
                    : Numbers.finite(floating(operator, Numbers.floating(left), Numbers.floating(right)));
        }
        if (operator.equals("+")) {
            return joined(at, left, right);
        }
        if (operator.equals("*") && left instanceof String text && Numbers.isWhole(right)) {
            return repeated(at, text, Numbers.whole(right));
        }
        if (operator.equals("*") && right instanceof String text && Numbers.isWhole(left)) {
            return repeated(at, text, Numbers.whole(left));
        }
        if (operator.equals("%") && left instanceof String pattern) {
            return Formats.percent(at, pattern, right instanceof Tuple tuple ? tuple : Values.listOf(right));
        }
        throw refuse(operator, left, right);
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

    private static String repeated(Rendering at, String text, long times) {
        if (text.isEmpty() || times <= 0) {
            return "";
        }
        at.requireText(Math.min(times, Integer.MAX_VALUE) * text.length());
        return at.spendText(text.repeat((int) times));
    }

    private static Long whole(String operator, long left, long right) {
        requireDivisor(operator, right == 0);
        try {
            return switch (operator) {
                case "+" -> Math.addExact(left, right);
                case "-" -> Math.subtractExact(left, right);
                case "*" -> Math.multiplyExact(left, right);
                case "%" -> Math.floorMod(left, right);
                default -> right == -1 ? Math.negateExact(left) : Math.floorDiv(left, right);
            };
        } catch (ArithmeticException e) {
            throw Numbers.tooLarge();
        }
    }

    private static double floating(String operator, double left, double right) {
        requireDivisor(operator, right == 0);
        return switch (operator) {
            case "+" -> left + right;
            case "-" -> left - right;
            case "*" -> left * right;
            case "/" -> left / right;
            default -> throw JinjaException.leftOut("'%s' of floating numbers".formatted(operator));
        };
    }

    private static void requireDivisor(String operator, boolean zero) {
        if (zero && (operator.equals("/") || operator.equals("//") || operator.equals("%"))) {
            throw new JinjaException("a number is divided by zero");
        }
    }

    /** {@code -value}, {@code +value}. */
    static Object signed(boolean minus, Object value) {
        if (value instanceof Double number) {
            return minus ? -number : number;
        }
        if (Numbers.isWhole(value)) {
            return whole("*", Numbers.whole(value), minus ? -1 : 1);
        }
        throw value instanceof Undefined missing
                ? missing.refuse()
                : new JinjaException("'%s' does not go before a %s".formatted(minus ? "-" : "+", Values.type(value)));
    }
}
