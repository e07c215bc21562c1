package io.tailrace.worker.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What values are: their kinds, truth, length and items; and how values from outside become those of a template. */
final class Values {
    /** How deep lists and maps may lie in each other. */
    static final int NESTED_MAX = 500;

    private Values() {}

    /** A template's own copy of texts, numbers, truths, lists and maps. */
    static Object of(Object value) {
        return of(value, 0);
    }

    private static Object of(Object value, int depth) {
        requireFlat(depth);
        if (value == null || value instanceof String || value instanceof Boolean || value instanceof Double) {
            return value;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(key(of(key, depth + 1)), of(each, depth + 1)));
            return copy;
        }
        if (value instanceof Collection<?> list) {
            List<Object> copy = new ArrayList<>(list.size());
            list.forEach(each -> copy.add(of(each, depth + 1)));
            return copy;
        }
        if (value instanceof Number number) {
            return number(number);
        }
        if (value instanceof CharSequence text) {
            return text.toString();
        }
        throw new JinjaException(
                "a template takes no %s".formatted(value.getClass().getSimpleName()));
    }

    private static Number number(Number number) {
        if (number instanceof BigInteger large) {
            return Numbers.of(large);
        }
        boolean floating = number instanceof BigDecimal || number instanceof Float;
        return floating ? (Number) number.doubleValue() : number.longValue();
    }

    static void requireFlat(int depth) {
        if (depth > NESTED_MAX) {
            throw new JinjaException("values lie deeper than %d in each other".formatted(NESTED_MAX));
        }
    }

    /** A value as the key of a map; numbers that are equal are one key. */
    static Object key(Object value) {
        if (value instanceof Boolean) {
            return Numbers.of(Numbers.whole(value));
        }
        if (value instanceof Double number && number == Math.rint(number) && !Double.isInfinite(number)) {
            return Numbers.truncated(number);
        }
        if (value instanceof Tuple tuple) {
            return new Tuple(tuple.stream().map(Values::key).collect(ArrayList::new, List::add, List::addAll));
        }
        if (!isHashable(value)) {
            throw new JinjaException("a %s is no key of a map".formatted(type(value)));
        }
        return value;
    }

    static boolean isHashable(Object value) {
        boolean flat =
                value == null || value instanceof String || Numbers.isNumber(value) || value instanceof Undefined;
        return flat || (value instanceof Tuple tuple && tuple.stream().noneMatch(Values::isNoKeyPart));
    }

    private static boolean isNoKeyPart(Object value) {
        return value instanceof Tuple || !isHashable(value);
    }

    static boolean isList(Object value) {
        return value instanceof List && !(value instanceof Tuple) && !(value instanceof Range);
    }

    static boolean truth(Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        }
        if (value instanceof String text) {
            return !text.isEmpty();
        }
        if (value instanceof Collection<?> list) {
            return !list.isEmpty();
        }
        if (value instanceof Map<?, ?> map) {
            return !map.isEmpty();
        }
        if (value instanceof Number number) {
            return number.doubleValue() != 0;
        }
        return value != null && !(value instanceof Undefined);
    }

    /** The name of its type in Python. */
    static String type(Object value) {
        if (value == null) {
            return "None";
        }
        if (value instanceof String) {
            return "str";
        }
        if (value instanceof Boolean) {
            return "bool";
        }
        if (value instanceof Number) {
            return value instanceof Double ? "float" : "int";
        }
        if (value instanceof Map) {
            return "dict";
        }
        if (value instanceof List) {
            return value instanceof Tuple ? "tuple" : value instanceof Range ? "range" : "list";
        }
        return value.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }

    /** Null: it has none. */
    static Integer length(Object value) {
        if (value instanceof String text) {
            return Text.length(text);
        }
        if (value instanceof Collection<?> list) {
            return list.size();
        }
        if (value instanceof Map<?, ?> map) {
            return map.size();
        }
        return value instanceof Undefined ? 0 : null;
    }

    static boolean isIterable(Object value) {
        return length(value) != null || value instanceof Generator || value instanceof Loop;
    }

    @SuppressWarnings("unchecked")
    static Iterator<Object> iterate(Object value) {
        if (value instanceof String text) {
            return Text.letters(text).iterator();
        }
        if (value instanceof Collection<?> list) {
            return ((Collection<Object>) list).iterator();
        }
        if (value instanceof Map<?, ?> map) {
            return new ArrayList<Object>(map.keySet()).iterator();
        }
        if (value instanceof Generator generator) {
            return generator.items();
        }
        if (value instanceof Undefined) {
            return Collections.emptyIterator();
        }
        throw new JinjaException("a %s cannot be gone through".formatted(type(value)));
    }

    /** All items of a value; each is a step. */
    static List<Object> list(Rendering at, Object value) {
        List<Object> list = new ArrayList<>();
        for (Iterator<Object> items = iterate(value); items.hasNext(); ) {
            at.spend(1);
            list.add(items.next());
        }
        return list;
    }

    static List<Object> listOf(Object... items) {
        return new ArrayList<>(Arrays.asList(items));
    }
}
