package io.tailrace.worker.jinja;

import java.util.List;

/** What {@code set} and {@code for} give values to. */
interface Target {
    /** Gives it a value. */
    void set(Rendering at, Object value);

    /** A name. */
    record Name(String name) implements Target {
        @Override
        public void set(Rendering at, Object value) {
            at.scope().set(name, value);
        }
    }

    /** A namespace's attribute. */
    record Attribute(String namespace, String name) implements Target {
        @Override
        public void set(Rendering at, Object value) {
            if (!(at.name(namespace) instanceof Namespace known)) {
                throw new JinjaException("'%s' is no namespace, '%s' cannot be set".formatted(namespace, name));
            }
            known.names().put(name, value);
        }
    }

    /** As many targets as the value has items. */
    record Several(List<Target> targets) implements Target {
        @Override
        public void set(Rendering at, Object value) {
            List<Object> items = Values.list(at, value);
            if (items.size() != targets.size()) {
                throw new JinjaException("%d values for %d names".formatted(items.size(), targets.size()));
            }
            for (int i = 0; i < items.size(); i++) {
                targets.get(i).set(at, items.get(i));
            }
        }
    }
}
