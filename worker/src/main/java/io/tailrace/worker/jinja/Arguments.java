package io.tailrace.worker.jinja;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** What a call or filter is given: by position, then by name. */
record Arguments(List<Object> positional, Map<String, Object> named) {
    private static final Object ABSENT = new Object();

    /** As one function takes them: the names of what it takes, in order, the required ones first. */
    Bound bind(String what, int required, String... names) {
        if (positional.size() > names.length) {
            throw new JinjaException("%s takes at most %d arguments for chat templates, got %d"
                    .formatted(what, names.length, positional.size()));
        }
        Object[] values = new Object[names.length];
        Arrays.fill(values, ABSENT);
        for (int i = 0; i < positional.size(); i++) {
            values[i] = positional.get(i);
        }
        for (Map.Entry<String, Object> each : named.entrySet()) {
            int index = Arrays.asList(names).indexOf(each.getKey());
            if (index < 0 || values[index] != ABSENT) {
                throw new JinjaException("%s does not take '%s', or takes it once".formatted(what, each.getKey()));
            }
            values[index] = each.getValue();
        }
        for (int i = 0; i < required; i++) {
            if (values[i] == ABSENT) {
                throw new JinjaException("%s wants '%s'".formatted(what, names[i]));
            }
        }
        return new Bound(what, values);
    }

    /** The same for a function that takes none by name. */
    Bound positional(String what, int required, int most) {
        if (!named.isEmpty()) {
            throw new JinjaException("%s takes no arguments by name".formatted(what));
        }
        return bind(what, required, Collections.nCopies(most, "an argument").toArray(String[]::new));
    }

    /** Arguments by their place among what a function takes. */
    static final class Bound {
        private final String what;
        private final Object[] values;

        Bound(String what, Object... values) {
            this.what = what;
            this.values = values;
        }

        boolean has(int index) {
            return values[index] != ABSENT;
        }

        Object get(int index) {
            return get(index, null);
        }

        Object get(int index, Object otherwise) {
            return has(index) ? values[index] : otherwise;
        }

        boolean truth(int index, boolean otherwise) {
            return has(index) ? Values.truth(values[index]) : otherwise;
        }

        String text(int index) {
            return text(index, null);
        }

        /** A text, or None where that is what is taken without one. */
        String text(int index, String otherwise) {
            Object value = get(index, otherwise);
            if (value instanceof String || (value == null && otherwise == null && !has(index))) {
                return (String) value;
            }
            throw new JinjaException("%s wants a text, got %s".formatted(what, Values.type(value)));
        }

        int whole(int index, int otherwise) {
            Object value = get(index, (long) otherwise);
            if (!Numbers.isWhole(value)) {
                throw new JinjaException("%s wants a whole number, got %s".formatted(what, Values.type(value)));
            }
            return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, Numbers.whole(value)));
        }
    }
}
