package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The expressions of templates. */
final class Expressions {
    private Expressions() {}

    /** A text, number, truth or None. */
    record Constant(Object value) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            return value;
        }
    }

    /** What a name stands for. */
    record Name(String name) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            return at.name(name);
        }
    }

    /** A list or tuple. */
    record Items(List<Expression> items, boolean tuple) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            List<Object> values = new ArrayList<>(items.size());
            for (Expression item : items) {
                values.add(at.value(item));
            }
            return tuple ? new Tuple(values) : values;
        }
    }

    /** A map, keys and values in turn. */
    record Dict(List<Expression> keys, List<Expression> values) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                map.put(Values.key(at.value(keys.get(i))), at.value(values.get(i)));
            }
            return map;
        }
    }

    /** {@code value.name}. */
    record Attribute(Expression value, String name) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            return Access.attribute(at.value(value), name);
        }
    }

    /** {@code value[key]}. */
    record Item(Expression value, Expression key) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            return Access.item(at.value(value), at.value(key));
        }
    }

    /** {@code value[from:to:by]}. */
    record Slice(Expression value, Expression from, Expression to, Expression by) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            return Access.slice(at, at.value(value), at.value(from), at.value(to), at.value(by));
        }
    }

    /**
     * What is given to a call.
     *
     * @param star a list of more, or null
     * @param stars a map of more by name, or null
     */
    record Given(List<Expression> positional, Map<String, Expression> named, Expression star, Expression stars) {
        static final Given NOTHING = new Given(List.of(), Map.of(), null, null);

        Arguments evaluate(Rendering at) {
            List<Object> values = new ArrayList<>(positional.size());
            for (Expression each : positional) {
                values.add(at.value(each));
            }
            if (star != null) {
                values.addAll(Values.list(at, at.value(star)));
            }
            Map<String, Object> names = new LinkedHashMap<>();
            named.forEach((name, each) -> names.put(name, at.value(each)));
            if (stars != null) {
                more(at.value(stars), names);
            }
            return new Arguments(values, names);
        }

        private static void more(Object value, Map<String, Object> names) {
            if (!(value instanceof Map<?, ?> map)) {
                throw new JinjaException("'**' wants a map, got " + Values.type(value));
            }
            map.forEach((key, each) -> {
                if (!(key instanceof String name) || names.containsKey(name)) {
                    throw new JinjaException("'**' wants a map of names, each given once");
                }
                names.put(name, each);
            });
        }
    }

    /** {@code called(given)}. */
    record Call(Expression called, Given given) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            Object value = at.value(called);
            Arguments arguments = given.evaluate(at);
            if (value instanceof Callee callee) {
                return callee.call(at, arguments);
            }
            throw value instanceof Undefined missing
                    ? missing.refuse()
                    : new JinjaException("a %s cannot be called".formatted(Values.type(value)));
        }
    }

    /** {@code value | name(given)}. */
    record Filtered(Expression value, String name, Given given) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            Object filtered = at.value(value);
            return Filters.find(name).apply(at, filtered, given.evaluate(at));
        }
    }

    /** {@code value is name(given)}. */
    record Tested(Expression value, String name, Given given) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            Object tested = at.value(value);
            return Tests.find(name).holds(at, tested, given.evaluate(at));
        }
    }

    /** {@code not value}. */
    record Not(Expression value) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            return !Values.truth(at.value(value));
        }
    }

    /** {@code left or right}, {@code left and right}; the value that decides. */
    record Either(Expression left, boolean or, Expression right) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            Object value = at.value(left);
            return Values.truth(value) == or ? value : at.value(right);
        }
    }

    /** {@code a < b <= c}: each neighbouring pair. */
    record Comparisons(Expression first, List<String> operators, List<Expression> others) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            Object left = at.value(first);
            for (int i = 0; i < others.size(); i++) {
                Object right = at.value(others.get(i));
                if (!holds(at, operators.get(i), left, right)) {
                    return false;
                }
                left = right;
            }
            return true;
        }

        private static boolean holds(Rendering at, String operator, Object left, Object right) {
            return switch (operator) {
                case "==" -> Comparison.equal(at, left, right);
                case "!=" -> !Comparison.equal(at, left, right);
                case "in" -> Comparison.contains(at, right, left);
                case "not in" -> !Comparison.contains(at, right, left);
                default -> ordered(at, operator, left, right);
            };
        }

        private static boolean ordered(Rendering at, String operator, Object left, Object right) {
            int order = Comparison.compare(at, left, right);
            if (Numbers.isNan(left) || Numbers.isNan(right)) {
                return false;
            }
            return switch (operator) {
                case "<" -> order < 0;
                case "<=" -> order <= 0;
                case ">" -> order > 0;
                default -> order >= 0;
            };
        }
    }

    /** A sum, product or power. */
    record Operation(Expression left, String operator, Expression right) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            Object first = at.value(left);
            return Operators.apply(at, operator, first, at.value(right));
        }
    }

    /** {@code a ~ b ~ c}: texts of values. */
    record Joined(List<Expression> parts) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            StringBuilder all = new StringBuilder();
            for (Expression part : parts) {
                String text = Printing.text(at, at.value(part));
                at.requireText((long) all.length() + text.length());
                all.append(text);
            }
            return at.spendText(all.toString());
        }
    }

    /** {@code -value}, {@code +value}. */
    record Signed(boolean minus, Expression value) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            Object number = at.value(value);
            return minus ? Operators.negative(number) : Operators.positive(number);
        }
    }

    /** {@code value if test else otherwise}. */
    record Conditional(Expression test, Expression value, Expression otherwise) implements Expression {
        @Override
        public Object evaluate(Rendering at) {
            return at.value(Values.truth(at.value(test)) ? value : otherwise);
        }
    }
}
