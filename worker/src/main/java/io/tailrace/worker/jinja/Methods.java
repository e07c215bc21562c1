package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The methods that values have. Those that would change a list or map are undefined, as in Python's sandbox. */
final class Methods {
    private static final Map<String, Routine> OF_MAPS = ofMaps();
    private static final Map<String, Routine> OF_LISTS = new HashMap<>();

    static {
        leaveOut(OF_LISTS, "copy", "count", "index");
    }

    private Methods() {}

    private static Map<String, Routine> ofMaps() {
        Map<String, Routine> all = new HashMap<>();
        all.put("get", Methods::get);
        all.put("keys", (at, map, arguments) -> view(at, ((Map<?, ?>) map).keySet(), "keys", arguments));
        all.put("values", (at, map, arguments) -> view(at, ((Map<?, ?>) map).values(), "values", arguments));
        all.put("items", (at, map, arguments) -> view(at, items(map), "items", arguments));
        leaveOut(all, "copy", "fromkeys");
        return all;
    }

    /** Adds methods that Python has and chat templates do not use: defined, but not to be called. */
    static void leaveOut(Map<String, Routine> all, String... names) {
        for (String name : names) {
            all.put(name, (at, value, arguments) -> {
                throw JinjaException.leftOut("method '%s' of a %s".formatted(name, Values.type(value)));
            });
        }
    }

    /** One that a kind of value has. */
    static Object find(Object value, String name) {
        Routine method = methods(value).get(name);
        return method == null ? Access.ABSENT : (Callee) (at, arguments) -> method.apply(at, value, arguments);
    }

    private static Map<String, Routine> methods(Object value) {
        if (value instanceof String) {
            return TextMethods.ALL;
        }
        if (value instanceof Map) {
            return OF_MAPS;
        }
        return value instanceof List ? OF_LISTS : Map.of();
    }

    /** The keys of a map, each with its value. */
    static List<Object> items(Object map) {
        List<Object> items = new ArrayList<>();
        ((Map<?, ?>) map).forEach((key, value) -> items.add(Tuple.of(key, value)));
        return items;
    }

    private static Object view(Rendering at, Collection<?> items, String name, Arguments arguments) {
        arguments.positional(name, 0, 0);
        at.spend(items.size());
        return new Values.View(new ArrayList<>(items));
    }

    private static Object get(Rendering at, Object map, Arguments arguments) {
        Arguments.Bound bound = arguments.positional("get", 1, 2);
        Object key = Values.key(bound.get(0));
        return ((Map<?, ?>) map).containsKey(key) ? ((Map<?, ?>) map).get(key) : bound.get(1);
    }
}
