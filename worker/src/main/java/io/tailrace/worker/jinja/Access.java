package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What lies within a value, by name, key, number or slice. What is not there is undefined, but for slices. */
final class Access {
    /** There is no such attribute; null is None. */
    static final Object ABSENT = new Object();

    private Access() {}

    /** {@code value.name}: an attribute or method first, then a map's item. */
    static Object attribute(Object value, String name) {
        Object found = own(value, name);
        if (found == ABSENT && value instanceof Map<?, ?> map && map.containsKey(name)) {
            return map.get(name);
        }
        return found == ABSENT ? Undefined.attribute(value, name) : found;
    }

    /** {@code value[key]}: an item first, then an attribute or method. */
    static Object item(Object value, Object key) {
        requireDefined(value);
        if (value instanceof Map<?, ?> map) {
            boolean there = !(key instanceof Collection || key instanceof Map) && map.containsKey(Values.key(key));
            if (there) {
                return map.get(key);
            }
        } else if (Numbers.isWhole(key) && (value instanceof List || value instanceof String)) {
            return numbered(value, Numbers.whole(key));
        }
        Object found = key instanceof String name ? own(value, name) : ABSENT;
        return found == ABSENT ? Undefined.attribute(value, key) : found;
    }

    private static Object numbered(Object value, long index) {
        int length = Values.length(value);
        long from = index < 0 ? index + length : index;
        if (from < 0 || from >= length) {
            return Undefined.attribute(value, index);
        }
        if (value instanceof List<?> list) {
            return list.get((int) from);
        }
        String text = (String) value;
        return Character.toString(text.codePointAt(text.offsetByCodePoints(0, (int) from)));
    }

    static Object slice(Rendering at, Object value, Object from, Object to, Object by) {
        requireDefined(value);
        boolean cut = value instanceof String || value instanceof Tuple || Values.isList(value);
        if (!cut || !isBound(from) || !isBound(to) || !isBound(by)) {
            throw new JinjaException("a %s has no such slice for chat templates".formatted(Values.type(value)));
        }
        Range indices = Range.slice(from, to, by, Values.length(value));
        if (value instanceof String text) {
            return at.spendText(Text.slice(text, indices));
        }
        List<Object> part = new ArrayList<>(indices.size());
        at.spend(indices.size());
        for (int i = 0; i < indices.size(); i++) {
            part.add(((List<?>) value).get(indices.at(i)));
        }
        return value instanceof Tuple ? new Tuple(part) : part;
    }

    private static boolean isBound(Object value) {
        return value == null || Numbers.isWhole(value);
    }

    private static void requireDefined(Object value) {
        if (value instanceof Undefined missing) {
            throw missing.refuse();
        }
    }

    /** An attribute or method. */
    private static Object own(Object value, String name) {
        if (name.startsWith("__") && name.endsWith("__")) {
            return new Undefined("'%s' is out of reach".formatted(name));
        }
        requireDefined(value);
        if (value instanceof Values.Namespace namespace) {
            return namespace.names().getOrDefault(name, ABSENT);
        }
        if (value instanceof Callee) {
            throw JinjaException.leftOut("attribute '%s' of a function or macro".formatted(name));
        }
        return value instanceof Loop loop ? loop.attribute(name) : Methods.find(value, name);
    }
}
