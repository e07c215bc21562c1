package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Whether values are equal, which is less, and what lies in what. Each pair looked at is a step. */
final class Comparison {
    private Comparison() {}

    /** {@code left < right} and the like. */
    static boolean holds(Rendering at, String operator, Object left, Object right) {
        return switch (operator) {
            case "==" -> equal(at, left, right, 0);
            case "!=" -> !equal(at, left, right, 0);
            case "in" -> contains(at, right, left);
            case "not in" -> !contains(at, right, left);
            case "<" -> compare(at, left, right) < 0;
            case "<=" -> compare(at, left, right) <= 0;
            case ">" -> compare(at, left, right) > 0;
            default -> compare(at, left, right) >= 0;
        };
    }

    private static boolean equal(Rendering at, Object left, Object right, int depth) {
        Values.requireFlat(depth);
        at.spend(1);
        if (left == right || (left instanceof Undefined && right instanceof Undefined)) {
            return true;
        }
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return Numbers.compare(left, right) == 0;
        }
        if (left instanceof List<?> one && right instanceof List<?> other) {
            return Values.type(left).equals(Values.type(right)) && equalLists(at, one, other, depth);
        }
        if (left instanceof Map<?, ?> one && right instanceof Map<?, ?> other) {
            return equalMaps(at, one, other, depth);
        }
        if (left instanceof Values.View && right instanceof Values.View) {
            throw JinjaException.leftOut("comparing keys(), values() or items() of maps");
        }
        return left instanceof String text && text.equals(right);
    }

    private static boolean equalLists(Rendering at, List<?> left, List<?> right, int depth) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            if (!equal(at, left.get(i), right.get(i), depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalMaps(Rendering at, Map<?, ?> left, Map<?, ?> right, int depth) {
        if (left.size() != right.size()) {
            return false;
        }
        for (Map.Entry<?, ?> entry : left.entrySet()) {
            boolean there = right.containsKey(entry.getKey());
            if (!there || !equal(at, entry.getValue(), right.get(entry.getKey()), depth + 1)) {
                return false;
            }
        }
        return true;
    }

    /** Below 0, 0 or above; of two numbers or two texts. */
    private static int compare(Rendering at, Object left, Object right) {
        at.spend(1);
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return Numbers.compare(left, right);
        }
        if (left instanceof String one && right instanceof String other) {
            return Text.compare(one, other);
        }
        throw Operators.refuse("<", left, right);
    }

    /** Python's {@code item in container}. */
    private static boolean contains(Rendering at, Object container, Object item) {
        if (container instanceof String text) {
            if (item instanceof String part) {
                at.spend(text.length() / 64);
                return text.contains(part);
            }
            throw Operators.refuse("in", item, container);
        }
        if (container instanceof Map<?, ?> map) {
            return map.containsKey(Values.key(item));
        }
        for (Iterator<Object> items = Values.iterate(container); items.hasNext(); ) {
            if (equal(at, items.next(), item, 0)) {
                return true;
            }
        }
        return false;
    }

    /** Sorted by keys; those with equal ones stay as they stand, backwards or not. */
    static List<Object> sorted(Rendering at, List<Object> values, UnaryOperator<Object> key, boolean backwards) {
        record Keyed(Object key, Object value) {}
        List<Keyed> keyed = new ArrayList<>();
        values.forEach(value -> keyed.add(new Keyed(key.apply(value), value)));
        Comparator<Keyed> order =
                (left, right) -> equal(at, left.key(), right.key(), 0) ? 0 : compare(at, left.key(), right.key());
        keyed.sort(backwards ? order.reversed() : order);
        List<Object> sorted = new ArrayList<>(keyed.size());
        keyed.forEach(each -> sorted.add(each.value()));
        return sorted;
    }
}
