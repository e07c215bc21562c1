package io.tailrace.worker.jinja;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** What stands behind {@code is}. */
final class Tests {
    private static final Map<String, Test> ALL = all();

    private Tests() {}

    /** Whether something holds for a value. */
    interface Test {
        /** Whether it does. */
        boolean holds(Rendering at, Object value, Arguments arguments);
    }

    /** Whether something holds for two values. */
    private interface Pair {
        boolean holds(Rendering at, Object value, Object other);
    }

    static Test find(String name) {
        Test test = ALL.get(name);
        if (test == null) {
            throw new JinjaException("there is no test '%s' for chat templates".formatted(name));
        }
        return test;
    }

    private static Map<String, Test> all() {
        Map<String, Test> all = new HashMap<>();
        plain(all, "defined", value -> !(value instanceof Undefined));
        plain(all, "undefined", value -> value instanceof Undefined);
        plain(all, "none", value -> value == null);
        plain(all, "boolean", value -> value instanceof Boolean);
        plain(all, "true", value -> value instanceof Boolean truth && truth);
        plain(all, "false", value -> value instanceof Boolean truth && !truth);
        plain(all, "integer", value -> Numbers.isWhole(value) && !(value instanceof Boolean));
        plain(all, "float", value -> value instanceof Double);
        plain(all, "number", Numbers::isNumber);
        plain(all, "string", value -> value instanceof String);
        plain(all, "mapping", value -> value instanceof Map);
        plain(all, "sequence", Tests::isSequence);
        plain(all, "iterable", Values::isIterable);
        plain(all, "callable", value -> value instanceof Callee || value instanceof Undefined);
        plain(all, "odd", value -> Numbers.whole(remainder(value, 2L)).equals(BigInteger.ONE));
        plain(all, "even", value -> Numbers.whole(remainder(value, 2L)).signum() == 0);
        all.put("lower", (at, value, arguments) -> isCased(at, value, arguments, "islower"));
        all.put("upper", (at, value, arguments) -> isCased(at, value, arguments, "isupper"));
        pair(all, "divisibleby", (at, value, other) -> !Values.truth(Operators.apply(at, "%", value, other)));
        pair(all, "sameas", (at, value, other) -> isSame(value, other));
        pair(all, "in", (at, value, other) -> Comparison.contains(at, other, value));
        for (String name : new String[] {"eq", "==", "equalto"}) {
            pair(all, name, Comparison::equal);
        }
        for (String name : new String[] {"ne", "!="}) {
            pair(all, name, (at, value, other) -> !Comparison.equal(at, value, other));
        }
        for (String name : new String[] {"lt", "<", "lessthan"}) {
            pair(all, name, Comparison::less);
        }
        for (String name : new String[] {"gt", ">", "greaterthan"}) {
            pair(all, name, (at, value, other) -> Comparison.less(at, other, value));
        }
        for (String name : new String[] {"le", "<="}) {
            pair(all, name, (at, value, other) -> isOrdered(value, other) && Comparison.compare(at, value, other) <= 0);
        }
        for (String name : new String[] {"ge", ">="}) {
            pair(all, name, (at, value, other) -> isOrdered(value, other) && Comparison.compare(at, value, other) >= 0);
        }
        all.put("filter", (at, value, arguments) -> value instanceof String name && Filters.has(name));
        all.put("test", (at, value, arguments) -> value instanceof String name && ALL.containsKey(name));
        return all;
    }

    private static void plain(Map<String, Test> all, String name, Predicate<Object> test) {
        all.put(name, (at, value, arguments) -> {
            arguments.positional(name, 0, 0);
            return test.test(value);
        });
    }

    private static void pair(Map<String, Test> all, String name, Pair test) {
        all.put(
                name,
                (at, value, arguments) ->
                        test.holds(at, value, arguments.positional(name, 1, 1).get(0)));
    }

    private static boolean isSequence(Object value) {
        return Values.length(value) != null && !(value instanceof DictView);
    }

    private static Object remainder(Object value, Object by) {
        if (Numbers.isWhole(value)) {
            return Operators.apply(null, "%", value, by);
        }
        if (value instanceof Double number) {
            double rest = Numbers.floating(Operators.apply(null, "%", number, by));
            return rest == 1 ? 1L : rest == 0 ? 0L : (Object) 2L;
        }
        throw Operators.refuse("%", value, by);
    }

    private static boolean isCased(Rendering at, Object value, Arguments arguments, String method) {
        arguments.positional("the test", 0, 0);
        return (Boolean) TextMethods.ALL.get(method).apply(at, Printing.text(at, value), Arguments.NONE);
    }

    private static boolean isSame(Object value, Object other) {
        boolean plain = value instanceof Long || value instanceof String || value instanceof Boolean;
        return plain ? value.equals(other) : value == other;
    }

    private static boolean isOrdered(Object value, Object other) {
        return !Numbers.isNan(value) && !Numbers.isNan(other);
    }
}
