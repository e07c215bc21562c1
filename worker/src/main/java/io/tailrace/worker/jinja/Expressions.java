package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The expressions of templates that take more than a line. */
final class Expressions {
    private Expressions() {}

    /** Each in turn. */
    static List<Object> all(Rendering at, List<Expression> expressions) {
        List<Object> values = new ArrayList<>(expressions.size());
        for (Expression each : expressions) {
            values.add(at.value(each));
        }
        return values;
    }

    static Expression dict(List<Expression> keys, List<Expression> values) {
        return at -> {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                map.put(Values.key(at.value(keys.get(i))), at.value(values.get(i)));
            }
            return map;
        };
    }

    /** What is given to a call, by position and by name. */
    record Given(List<Expression> positional, Map<String, Expression> named) {
        static final Given NOTHING = new Given(List.of(), Map.of());

        Arguments evaluate(Rendering at) {
            List<Object> values = all(at, positional);
            Map<String, Object> names = new LinkedHashMap<>();
            named.forEach((name, each) -> names.put(name, at.value(each)));
            return new Arguments(values, names);
        }
    }

    static Expression call(Expression called, Given given) {
        return at -> {
            Object value = at.value(called);
            Arguments arguments = given.evaluate(at);
            if (value instanceof Callee callee) {
                return callee.call(at, arguments);
            }
            throw value instanceof Undefined missing
                    ? missing.refuse()
                    : new JinjaException("a %s cannot be called".formatted(Values.type(value)));
        };
    }

    static Expression filtered(Expression value, String name, Given given) {
        return at -> {
            Object filtered = at.value(value);
            return Filters.find(name).apply(at, filtered, given.evaluate(at));
        };
    }

    static Expression tested(Expression value, String name, Given given) {
        return at -> {
            Object tested = at.value(value);
            return Tests.find(name).holds(at, tested, given.evaluate(at));
        };
    }

    static Expression not(Expression value) {
        return at -> !Values.truth(at.value(value));
    }

    /** {@code left or right}, {@code left and right}; the value that decides. */
    static Expression either(Expression left, boolean or, Expression right) {
        return at -> {
            Object value = at.value(left);
            return Values.truth(value) == or ? value : at.value(right);
        };
    }

    /** {@code a < b <= c}: each neighbouring pair. */
    static Expression compared(Expression first, List<String> operators, List<Expression> others) {
        return at -> {
            Object left = at.value(first);
            for (int i = 0; i < others.size(); i++) {
                Object right = at.value(others.get(i));
                if (!Comparison.holds(at, operators.get(i), left, right)) {
                    return false;
                }
                left = right;
            }
            return true;
        };
    }

    /** A sum or product. */
    static Expression operation(Expression left, String operator, Expression right) {
        return at -> {
            Object first = at.value(left);
            return Operators.apply(at, operator, first, at.value(right));
        };
    }

    /** {@code a ~ b ~ c}: texts of values. */
    static Expression joined(List<Expression> parts) {
        return at -> {
            StringBuilder all = new StringBuilder();
            for (Expression part : parts) {
                String text = Printing.text(at, at.value(part));
                at.requireText((long) all.length() + text.length());
                all.append(text);
            }
            return at.spendText(all.toString());
        };
    }
}
