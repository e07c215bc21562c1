package io.tailrace.worker.jinja;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Whether values are equal, which is less, and what lies in what. Each pair looked at is a step. */
final class Comparison {
    private Comparison() {}

    static boolean equal(Rendering at, Object left, Object right) {
        return equal(at, left, right, 0);
    }

    private static boolean equal(Rendering at, Object left, Object right, int depth) {
        Values.requireFlat(depth);
        at.spend(1);
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return !Numbers.isNan(left) && !Numbers.isNan(right) && Numbers.compare(left, right) == 0;
        }
        if (left instanceof List<?> one && right instanceof List<?> other) {
            return Values.type(left).equals(Values.type(right)) && equalLists(at, one, other, depth);
        }
        if (left instanceof Map<?, ?> one && right instanceof Map<?, ?> other) {
            return equalMaps(at, one, other, depth);
        }
        if (left instanceof DictView one && right instanceof DictView other) {
            return equalViews(at, one, other);
        }
        if (left instanceof String text) {
            return text.equals(right);
        }
        return left == right || (left instanceof Undefined && right instanceof Undefined);
    }

    private static boolean same(Rendering at, Object left, Object right, int depth) {
        return left == right || equal(at, left, right, depth);
    }

    private static boolean equalLists(Rendering at, List<?> left, List<?> right, int depth) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            if (!same(at, left.get(i), right.get(i), depth + 1)) {
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
            if (!there || !same(at, entry.getValue(), right.get(entry.getKey()), depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalViews(Rendering at, DictView left, DictView right) {
        boolean sets = left.kind != DictView.Kind.VALUES && right.kind != DictView.Kind.VALUES;
        return left == right
                || (sets && left.size() == right.size() && left.stream().allMatch(item -> contains(at, right, item)));
    }

    static boolean less(Rendering at, Object left, Object right) {
        return compare(at, left, right, 0) < 0 && !Numbers.isNan(left) && !Numbers.isNan(right);
    }

    /** Below 0, 0 or above. */
    static int compare(Rendering at, Object left, Object right) {
        return compare(at, left, right, 0);
    }

    private static int compare(Rendering at, Object left, Object right, int depth) {
        Values.requireFlat(depth);
        at.spend(1);
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return Numbers.compare(left, right);
        }
        if (left instanceof String one && right instanceof String other) {
            return Text.compare(one, other);
        }
        boolean lists = Values.isList(left) && Values.isList(right);
        if (lists || (left instanceof Tuple && right instanceof Tuple)) {
            return compareLists(at, (List<?>) left, (List<?>) right, depth);
        }
        throw Operators.refuse("<", left, right);
    }

    private static int compareLists(Rendering at, List<?> left, List<?> right, int depth) {
        int shorter = Math.min(left.size(), right.size());
        for (int i = 0; i < shorter; i++) {
            if (!same(at, left.get(i), right.get(i), depth + 1)) {
                return compare(at, left.get(i), right.get(i), depth + 1);
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    /** Python's {@code item in container}. */
    static boolean contains(Rendering at, Object container, Object item) {
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
            if (same(at, items.next(), item, 0)) {
                return true;
            }
        }
        return false;
    }
}
