package io.tailrace.worker.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What values are: their kinds, truth, length and items; and how values from outside become those of a template. */
final class Values {
    /** How deep lists and maps may lie in each other. */
    static final int NESTED_MAX = 500;

    private Values() {}

    /** What a filter gives one by one: it is gone through once, has no length and no items by number. */
    record Generator(Iterator<Object> items) {}

    /** What {@code namespace()} makes: the one value that a template may change. */
    record Namespace(Map<Object, Object> names) {}

    /** The keys, values or items of a map; no list, but it can be gone through and has a length. */
    static final class View extends AbstractCollection<Object> {
        private final List<Object> items;

        View(List<Object> items) {
            this.items = items;
        }

        @Override
        public Iterator<Object> iterator() {
            return items.iterator();
        }

        @Override
        public int size() {
            return items.size();
        }
    }

    /** A template's own copy of texts, numbers, truths, lists and maps. */
    static Object of(Object value) {
        return of(value, 0);
    }

    private static Object of(Object value, int depth) {
        requireFlat(depth);
        if (value == null || value instanceof String || value instanceof Boolean) {
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
        if (number instanceof BigInteger) {
            return number;
        }
        boolean floating = number instanceof BigDecimal || number instanceof Float || number instanceof Double;
        return floating ? (Number) Numbers.finite(number.doubleValue()) : number.longValue();
    }

    static void requireFlat(int depth) {
        if (depth > NESTED_MAX) {
            throw new JinjaException("values lie deeper than %d in each other".formatted(NESTED_MAX));
        }
    }

    /** A value as the key of a map. */
    static Object key(Object value) {
        if (value == null || value instanceof String || value instanceof Long || value instanceof Undefined) {
            return value;
        }
        throw new JinjaException("a %s is no key of a map for chat templates".formatted(type(value)));
    }

    static boolean isList(Object value) {
        return value instanceof List && !(value instanceof Tuple) && !(value instanceof Range);
    }

    static boolean truth(Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        }
        if (value instanceof Number number) {
            return number.doubleValue() != 0;
        }
        if (value instanceof String text) {
            return !text.isEmpty();
        }
        Integer length = length(value);
        return length == null ? value != null : length > 0;
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
        if (value instanceof Callee) {
            return "function";
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
        return length(value) != null || value instanceof Generator;
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

    /** The same one by one. */
    static Stream<Object> stream(Rendering at, Iterator<Object> items) {
        Iterable<Object> all = () -> items;
        return StreamSupport.stream(all.spliterator(), false).peek(each -> at.spend(1));
    }

    static List<Object> listOf(Object... items) {
        return new ArrayList<>(Arrays.asList(items));
    }
}
