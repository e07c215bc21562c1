package io.tailrace.worker.jinja;

import java.util.HashMap;
import java.util.Map;

/** Names and what they stand for, within those of a block around. */
final class Scope {
    private final Map<String, Object> names;
    private final Scope outer;

    Scope(Map<String, Object> names) {
        this.names = new HashMap<>(names);
        outer = null;
    }

    Scope(Scope outer) {
        names = new HashMap<>();
        this.outer = outer;
    }

    Scope outer() {
        return outer;
    }

    boolean has(String name) {
        return names.containsKey(name);
    }

    Object get(String name) {
        return names.get(name);
    }

    void set(String name, Object value) {
        names.put(name, value);
    }
}
