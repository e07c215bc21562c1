package io.tailrace.worker.jinja;

import java.util.HashMap;
import java.util.Map;

/** What stands behind {@code |}: a table of {@link TextFilters}, {@link NumberFilters} and {@link ListFilters}. */
final class Filters {
    private static final Map<String, Filter> ALL = new HashMap<>();

    static {
        TextFilters.addTo(ALL);
        NumberFilters.addTo(ALL);
        ListFilters.addTo(ALL);
    }

    private Filters() {}

    /** Makes a value of a value. */
    interface Filter {
        /** The value made. */
        Object apply(Rendering at, Object value, Arguments arguments);
    }

    static boolean has(String name) {
        return ALL.containsKey(name);
    }

    static Filter find(String name) {
        Filter filter = ALL.get(name);
        if (filter == null) {
            throw new JinjaException("there is no filter '%s' for chat templates".formatted(name));
        }
        return filter;
    }
}
