package io.tailrace.worker.jinja;

import java.util.List;

/** What {@code set} and {@code for} give values to: a name, or as many as the value has items. */
record Target(List<String> names) {
    boolean isOne() {
        return names.size() == 1;
    }

    void set(Rendering at, Object value) {
        if (isOne()) {
            at.scope().set(names.get(0), value);
            return;
        }
        List<Object> items = Values.list(at, value);
        if (items.size() != names.size()) {
            throw new JinjaException("%d values for %d names".formatted(items.size(), names.size()));
        }
        for (int i = 0; i < items.size(); i++) {
            at.scope().set(names.get(i), items.get(i));
        }
    }
}
