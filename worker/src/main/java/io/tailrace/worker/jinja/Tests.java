package io.tailrace.worker.jinja;

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

    static Test find(String name) {
        Test test = ALL.get(name);
        if (test == null) {
            throw JinjaException.leftOut("test '%s'".formatted(name));
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
        plain(all, "sequence", value -> Values.length(value) != null && !(value instanceof Values.View));
        plain(all, "iterable", Values::isIterable);
        plain(all, "odd", value -> !isEven(value));
        plain(all, "even", Tests::isEven);
        compared(all, "in", "in");
        compared(all, "==", "eq", "==", "equalto");
        compared(all, "!=", "ne", "!=");
        compared(all, "<", "lt", "<", "lessthan");
        compared(all, "<=", "le", "<=");
        compared(all, ">", "gt", ">", "greaterthan");
        compared(all, ">=", "ge", ">=");
        return all;
    }

    private static void plain(Map<String, Test> all, String name, Predicate<Object> test) {
        all.put(name, (at, value, arguments) -> {
            arguments.positional(name, 0, 0);
            return test.test(value);
        });
    }

    private static void compared(Map<String, Test> all, String operator, String... names) {
        for (String name : names) {
            all.put(name, (at, value, arguments) -> {
                Object other = arguments.positional(name, 1, 1).get(0);
                return Comparison.holds(at, operator, value, other);
            });
        }
    }

    private static boolean isEven(Object value) {
        if (!Numbers.isWhole(value)) {
            throw Operators.refuse("%", value, 2L);
        }
        return Numbers.whole(value) % 2 == 0;
    }
}
