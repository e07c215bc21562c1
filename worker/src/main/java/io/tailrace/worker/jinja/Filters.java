package io.tailrace.worker.jinja;

import java.util.HashMap;
import java.util.Map;

/** What stands behind {@code |}: a table of {@link TextFilters}, {@link NumberFilters} and {@link ListFilters}. */
final class Filters {
    private static final Map<String, Routine> ALL = new HashMap<>();

    static {
        TextFilters.addTo(ALL);
        NumberFilters.addTo(ALL);
        ListFilters.addTo(ALL);
    }

    private Filters() {}

    static Routine find(String name) {
        Routine filter = ALL.get(name);
        if (filter == null) {
            throw JinjaException.leftOut("filter '%s'".formatted(name));
        }
        return filter;
    }
}
