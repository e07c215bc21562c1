package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Values in order. */
final class Sorting {
    private Sorting() {}

    static void sort(Rendering at, List<Object> values) {
        try {
            values.sort((left, right) -> Comparison.compare(at, left, right));
        } catch (IllegalArgumentException e) {
            throw new JinjaException("values without an order are not sorted");
        }
    }

    /** Sorted by keys; those with equal ones stay as they stand, backwards or not. */
    static List<Object> by(Rendering at, List<Object> values, UnaryOperator<Object> key, boolean backwards) {
        record Keyed(Object key, Object value) {}
        List<Keyed> keyed = new ArrayList<>();
        values.forEach(value -> keyed.add(new Keyed(key.apply(value), value)));
        try {
            keyed.sort((left, right) -> backwards
                    ? Comparison.compare(at, right.key(), left.key())
                    : Comparison.compare(at, left.key(), right.key()));
        } catch (IllegalArgumentException e) {
            throw new JinjaException("values without an order are not sorted");
        }
        List<Object> sorted = new ArrayList<>(keyed.size());
        keyed.forEach(each -> sorted.add(each.value()));
        return sorted;
    }
}
