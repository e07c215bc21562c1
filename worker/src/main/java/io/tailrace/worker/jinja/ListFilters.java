package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Arguments.Bound;
import io.tailrace.worker.jinja.Filters.Filter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Filters of lists, maps, and of values of any kind. */
final class ListFilters {
    private ListFilters() {}

    static void addTo(Map<String, Filter> all) {
        for (String name : List.of("default", "d")) {
            all.put(name, ListFilters::otherwise);
        }
        for (String name : List.of("length", "count")) {
            all.put(name, ListFilters::length);
        }
        all.put("list", (at, value, arguments) -> Values.list(at, none(value, "list", arguments)));
        all.put("items", ListFilters::items);
        all.put("first", ListFilters::first);
        all.put("last", ListFilters::last);
        all.put("reverse", ListFilters::reverse);
        all.put("sort", ListFilters::sort);
        all.put("dictsort", ListFilters::dictsort);
        all.put("unique", ListFilters::unique);
        all.put("min", (at, value, arguments) -> extreme(at, value, arguments, false));
        all.put("max", (at, value, arguments) -> extreme(at, value, arguments, true));
        all.put("sum", ListFilters::sum);
        all.put("map", ListFilters::map);
        all.put("select", (at, value, arguments) -> selected(at, value, arguments, false, true));
        all.put("reject", (at, value, arguments) -> selected(at, value, arguments, false, false));
        all.put("selectattr", (at, value, arguments) -> selected(at, value, arguments, true, true));
        all.put("rejectattr", (at, value, arguments) -> selected(at, value, arguments, true, false));
        all.put("attr", (at, value, arguments) -> attr(value, arguments));
    }

    private static Object none(Object value, String name, Arguments arguments) {
        arguments.positional(name, 0, 0);
        return value;
    }

    private static Object otherwise(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("default", 0, "default_value", "boolean");
        boolean missing = value instanceof Undefined || (given.truth(1, false) && !Values.truth(value));
        return missing ? given.get(0, "") : value;
    }

    private static Object length(Rendering at, Object value, Arguments arguments) {
        Integer length = Values.length(none(value, "length", arguments));
        if (value instanceof Loop loop) {
            return (long) loop.length();
        }
        if (length == null) {
            throw new JinjaException("a %s has no length".formatted(Values.type(value)));
        }
        return (long) length;
    }

    private static Object items(Rendering at, Object value, Arguments arguments) {
        none(value, "items", arguments);
        if (value instanceof Undefined) {
            return new Generator(Collections.emptyIterator());
        }
        if (value instanceof Map<?, ?> map) {
            return new Generator(new DictView(DictView.Kind.ITEMS, map).iterator());
        }
        throw new JinjaException("a %s has no items with keys".formatted(Values.type(value)));
    }

    private static Object first(Rendering at, Object value, Arguments arguments) {
        Iterator<Object> items = Values.iterate(none(value, "first", arguments));
        return items.hasNext() ? items.next() : new Undefined("there is no first item");
    }

    private static Object last(Rendering at, Object value, Arguments arguments) {
        List<Object> items = backwards(at, none(value, "last", arguments));
        return items.isEmpty() ? new Undefined("there is no last item") : items.get(0);
    }

    private static Object reverse(Rendering at, Object value, Arguments arguments) {
        none(value, "reverse", arguments);
        if (value instanceof String text) {
            return at.spendText(new StringBuilder(text).reverse().toString());
        }
        return new Generator(backwards(at, value).iterator());
    }

    private static List<Object> backwards(Rendering at, Object value) {
        if (value instanceof Undefined) {
            return List.of();
        }
        List<Object> items = Values.list(at, value);
        Collections.reverse(items);
        return items;
    }

    /** An attribute by its path: names and numbers with dots between. */
    static Object within(Object value, Object path) {
        if (!(path instanceof String names)) {
            return Access.item(value, path);
        }
        Object inner = value;
        int from = 0;
        while (from <= names.length()) {
            int dot = names.indexOf('.', from);
            String part = names.substring(from, dot < 0 ? names.length() : dot);
            boolean number =
                    !part.isEmpty() && part.length() < 10 && part.chars().allMatch(Character::isDigit);
            inner = Access.item(inner, number ? (Object) Long.valueOf(part) : part);
            from = dot < 0 ? names.length() + 1 : dot + 1;
        }
        return inner;
    }

    /** What values are compared by: themselves or something within, texts without regard to case. */
    private static UnaryOperator<Object> key(Object attribute, boolean cased) {
        return value -> {
            Object inner = attribute == null ? value : within(value, attribute);
            return !cased && inner instanceof String text ? Methods.lower(text) : inner;
        };
    }

    private static Object sort(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("sort", 0, "reverse", "case_sensitive", "attribute");
        boolean cased = given.truth(1, false);
        UnaryOperator<Object> key = given.get(2) instanceof String names
                ? each -> several(each, names, cased)
                : each -> Values.listOf(key(given.get(2), cased).apply(each));
        return Sorting.by(at, Values.list(at, value), key, given.truth(0, false));
    }

    private static Object several(Object value, String names, boolean cased) {
        List<Object> keys = new ArrayList<>();
        int from = 0;
        while (from <= names.length()) {
            int comma = names.indexOf(',', from);
            int to = comma < 0 ? names.length() : comma;
            keys.add(key(names.substring(from, to), cased).apply(value));
            from = to + 1;
        }
        return keys;
    }

    private static Object dictsort(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("dictsort", 0, "case_sensitive", "by", "reverse");
        String by = given.text(1, "key");
        if (!by.equals("key") && !by.equals("value")) {
            throw new JinjaException("dictsort sorts by key or by value");
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw value instanceof Undefined missing
                    ? missing.refuse()
                    : new JinjaException("dictsort wants a map, got " + Values.type(value));
        }
        Object place = by.equals("key") ? 0L : 1L;
        List<Object> items = Values.list(at, new DictView(DictView.Kind.ITEMS, map));
        return Sorting.by(at, items, key(place, given.truth(0, false)), given.truth(2, false));
    }

    private static Object unique(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("unique", 0, "case_sensitive", "attribute");
        UnaryOperator<Object> key = key(given.get(1), given.truth(0, false));
        java.util.Set<Object> seen = new java.util.HashSet<>();
        Iterator<Object> all = Values.iterate(value);
        return new Generator(filtered(at, new Generator(all), each -> seen.add(Values.key(key.apply(each)))));
    }

    private static Object extreme(Rendering at, Object value, Arguments arguments, boolean most) {
        Bound given = arguments.bind("min or max", 0, "case_sensitive", "attribute");
        UnaryOperator<Object> key = key(given.get(1), given.truth(0, false));
        List<Object> items = Values.list(at, value);
        if (items.isEmpty()) {
            return new Undefined("there is no item");
        }
        Object found = items.get(0);
        for (Object each : items.subList(1, items.size())) {
            Object one = key.apply(each);
            Object best = key.apply(found);
            found = (most ? Comparison.less(at, best, one) : Comparison.less(at, one, best)) ? each : found;
        }
        return found;
    }

    private static Object sum(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("sum", 0, "attribute", "start");
        Object sum = given.get(1, 0L);
        for (Object each : Values.list(at, value)) {
            sum = Operators.apply(at, "+", sum, given.get(0) == null ? each : within(each, given.get(0)));
        }
        return sum;
    }

    private static Object map(Rendering at, Object value, Arguments arguments) {
        UnaryOperator<Object> function;
        if (arguments.positional().isEmpty()) {
            Bound given = arguments.bind("map", 0, "attribute", "default");
            if (!given.has(0)) {
                throw new JinjaException("map wants a filter or an attribute");
            }
            Object otherwise = given.get(1);
            function = each -> {
                Object inner = within(each, given.get(0));
                return inner instanceof Undefined && otherwise != null ? otherwise : inner;
            };
        } else {
            Filter filter = Filters.find(name(arguments, 0));
            Arguments rest = rest(arguments, 1);
            function = each -> filter.apply(at, each, rest);
        }
        Iterator<Object> items = orEmpty(value);
        return new Generator(new Iterator<>() {
            @Override
            public boolean hasNext() {
                return items.hasNext();
            }

            @Override
            public Object next() {
                at.spend(1);
                return function.apply(items.next());
            }
        });
    }

    private static String name(Arguments arguments, int index) {
        Object name = arguments.positional().get(index);
        if (!(name instanceof String text)) {
            throw new JinjaException("the name of a filter or test is a text");
        }
        return text;
    }

    private static Arguments rest(Arguments arguments, int from) {
        List<Object> positional = arguments.positional();
        return new Arguments(
                positional.subList(Math.min(from, positional.size()), positional.size()), arguments.named());
    }

    private static Object selected(Rendering at, Object value, Arguments arguments, boolean attribute, boolean wanted) {
        int test = attribute ? 1 : 0;
        if (attribute && arguments.positional().isEmpty()) {
            throw new JinjaException("selectattr and rejectattr want an attribute");
        }
        Object path = attribute ? arguments.positional().get(0) : null;
        Predicate<Object> holds;
        if (arguments.positional().size() > test) {
            Tests.Test named = Tests.find(name(arguments, test));
            Arguments rest = rest(arguments, test + 1);
            holds = each -> named.holds(at, each, rest);
        } else {
            holds = Values::truth;
        }
        return new Generator(filtered(at, value, each -> holds.test(attribute ? within(each, path) : each) == wanted));
    }

    /** What is false, None too, has no items for these filters. */
    private static Iterator<Object> orEmpty(Object value) {
        return Values.truth(value) ? Values.iterate(value) : Collections.emptyIterator();
    }

    private static Iterator<Object> filtered(Rendering at, Object value, Predicate<Object> wanted) {
        Iterable<Object> all = () -> orEmpty(value);
        return java.util.stream.StreamSupport.stream(all.spliterator(), false)
                .filter(each -> {
                    at.spend(1);
                    return wanted.test(each);
                })
                .iterator();
    }

    private static Object attr(Object value, Arguments arguments) {
        String name = arguments.bind("attr", 1, "name").text(0);
        Object found = value instanceof Map ? Methods.find(value, name) : Access.attribute(value, name);
        return found == Access.ABSENT ? Undefined.attribute(value, name) : found;
    }
}
