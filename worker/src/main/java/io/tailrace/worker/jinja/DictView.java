package io.tailrace.worker.jinja;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.Map;

/** The keys, values or items of a map; no list, but it can be gone through and has a length. */
final class DictView extends AbstractCollection<Object> {
    enum Kind {
        KEYS,
        VALUES,
        ITEMS
    }

    final Kind kind;
    private final Map<?, ?> map;

    DictView(Kind kind, Map<?, ?> map) {
        this.kind = kind;
        this.map = map;
    }

    @Override
    public Iterator<Object> iterator() {
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public Object next() {
                Map.Entry<?, ?> entry = entries.next();
                return switch (kind) {
                    case KEYS -> entry.getKey();
                    case VALUES -> entry.getValue();
                    case ITEMS -> Tuple.of(entry.getKey(), entry.getValue());
                };
            }
        };
    }

    @Override
    public int size() {
        return map.size();
    }
}
