package io.tailrace.worker.jinja;

import java.util.AbstractList;
import java.util.List;

/** Python's tuple: a list that is another kind of value. */
final class Tuple extends AbstractList<Object> {
    private final List<Object> items;

    Tuple(List<Object> items) {
        this.items = items;
    }

    static Tuple of(Object left, Object right) {
        return new Tuple(java.util.Arrays.asList(left, right));
    }

    @Override
    public Object get(int index) {
        return items.get(index);
    }

    @Override
    public int size() {
        return items.size();
    }
}
