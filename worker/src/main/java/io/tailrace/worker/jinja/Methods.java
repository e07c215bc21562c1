package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The methods that values have. Those that would change a list or map are undefined, as in Python's sandbox. */
final class Methods {
    private static final Map<String, Method> OF_MAPS = Map.of(
            "get", Methods::get,
            "items", (at, map, arguments) -> view(DictView.Kind.ITEMS, map, arguments),
            "keys", (at, map, arguments) -> view(DictView.Kind.KEYS, map, arguments),
            "values", (at, map, arguments) -> view(DictView.Kind.VALUES, map, arguments),
            "copy", (at, map, arguments) -> new LinkedHashMap<Object, Object>((Map<?, ?>) none(map, arguments)));

    private static final Map<String, Method> OF_LISTS = Map.of(
            "index", Methods::index,
            "count", Methods::count,
            "copy", (at, list, arguments) -> new ArrayList<Object>((List<?>) none(list, arguments)));

    private static final Map<String, Method> OF_TUPLES = Map.of("index", Methods::index, "count", Methods::count);

    private Methods() {}

    /** A method of one kind of value. */
    interface Method {
        /** What it gives. */
        Object apply(Rendering at, Object value, Arguments arguments);
    }

    /** A method of a value. */
    record Bound(Object value, String name, Method method) implements Callee {
        @Override
        public Object call(Rendering at, Arguments arguments) {
            return method.apply(at, value, arguments);
        }
    }

    /** A function under a name. */
    static Callee of(String name, java.util.function.BiFunction<Rendering, Arguments, Object> function) {
        return new Bound(null, name, (at, value, arguments) -> function.apply(at, arguments));
    }

    /** Those that a kind of value has. */
    static Object find(Object value, String name) {
        Method method = methods(value).get(name);
        return method == null ? Access.ABSENT : new Bound(value, name, method);
    }

    private static Map<String, Method> methods(Object value) {
        if (value instanceof String) {
            return TextMethods.ALL;
        }
        if (value instanceof Map) {
            return OF_MAPS;
        }
        if (Values.isList(value)) {
            return OF_LISTS;
        }
        return value instanceof List ? OF_TUPLES : Map.of();
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static Object none(Object value, Arguments arguments) {
        arguments.positional("a method", 0, 0);
        return value;
    }

    private static Object view(DictView.Kind kind, Object map, Arguments arguments) {
        return new DictView(kind, (Map<?, ?>) none(map, arguments));
    }

    private static Object get(Rendering at, Object map, Arguments arguments) {
        Arguments.Bound bound = arguments.positional("get", 1, 2);
        Object key = Values.key(bound.get(0));
        return ((Map<?, ?>) map).containsKey(key) ? ((Map<?, ?>) map).get(key) : bound.get(1);
    }

    private static Object index(Rendering at, Object list, Arguments arguments) {
        Arguments.Bound bound = arguments.positional("index", 1, 3);
        List<?> items = (List<?>) list;
        Range range = Range.slice((long) bound.whole(1, 0), (long) bound.whole(2, items.size()), null, items.size());
        for (int i = 0; i < range.size(); i++) {
            if (Comparison.equal(at, items.get(range.at(i)), bound.get(0))) {
                return range.get(i);
            }
        }
        throw new JinjaException("index: the list has no such item");
    }

    private static Object count(Rendering at, Object list, Arguments arguments) {
        Object item = arguments.positional("count", 1, 1).get(0);
        return ((List<?>) list)
                .stream()
                        .filter(each -> each == item || Comparison.equal(at, each, item))
                        .count();
    }
}
