package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Arguments.Bound;
import io.tailrace.worker.jinja.Values.Generator;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Filters of lists, maps, and of values of any kind. */
final class ListFilters {
    private ListFilters() {}

    static void addTo(Map<String, Routine> all) {
        for (String name : List.of("default", "d")) {
            all.put(name, ListFilters::otherwise);
        }
        for (String name : List.of("length", "count")) {
            all.put(name, ListFilters::length);
        }
        all.put("list", (at, value, arguments) -> Values.list(at, plain(value, "list", arguments)));
        all.put("items", ListFilters::items);
        all.put("first", ListFilters::first);
        all.put("last", ListFilters::last);
        all.put("reverse", ListFilters::reverse);
        all.put("sort", ListFilters::sort);
        all.put("dictsort", ListFilters::dictsort);
        all.put("unique", ListFilters::unique);
        all.put("map", ListFilters::map);
        all.put("select", (at, value, arguments) -> selected(at, value, arguments, 0, true));
        all.put("reject", (at, value, arguments) -> selected(at, value, arguments, 0, false));
        all.put("selectattr", (at, value, arguments) -> selected(at, value, arguments, 1, true));
        all.put("rejectattr", (at, value, arguments) -> selected(at, value, arguments, 1, false));
    }

    /** The value of a filter that takes nothing. */
    private static Object plain(Object value, String name, Arguments arguments) {
        arguments.positional(name, 0, 0);
        return value;
    }

    private static Object otherwise(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("default", 0, "default_value", "boolean");
        boolean missing = value instanceof Undefined || (given.truth(1, false) && !Values.truth(value));
        return missing ? given.get(0, "") : value;
    }

    private static Object length(Rendering at, Object value, Arguments arguments) {
        Integer length = Values.length(plain(value, "length", arguments));
        if (length == null) {
            throw new JinjaException("a %s has no length".formatted(Values.type(value)));
        }
        return (long) length;
    }

    private static Object items(Rendering at, Object value, Arguments arguments) {
        plain(value, "items", arguments);
        if (value instanceof Undefined) {
            return new Generator(Collections.emptyIterator());
        }
        if (value instanceof Map) {
            return new Generator(Methods.items(value).iterator());
        }
        throw new JinjaException("a %s has no items with keys".formatted(Values.type(value)));
    }

    private static Object first(Rendering at, Object value, Arguments arguments) {
        Iterator<Object> items = Values.iterate(plain(value, "first", arguments));
        return items.hasNext() ? items.next() : new Undefined("there is no first item");
    }

    private static Object last(Rendering at, Object value, Arguments arguments) {
        List<Object> items = backwards(at, plain(value, "last", arguments));
        return items.isEmpty() ? new Undefined("there is no last item") : items.get(0);
    }

    private static Object reverse(Rendering at, Object value, Arguments arguments) {
        plain(value, "reverse", arguments);
        return value instanceof String text
                ? at.spendText(new StringBuilder(text).reverse().toString())
                : new Generator(backwards(at, value).iterator());
    }

    private static List<Object> backwards(Rendering at, Object value) {
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
            return !cased && inner instanceof String text ? TextMethods.lower(text) : inner;
        };
    }

    private static Object sort(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("sort", 0, "reverse", "case_sensitive", "attribute");
        if (given.get(2) instanceof String names && names.contains(",")) {
            throw JinjaException.leftOut("sorting by several attributes");
        }
        UnaryOperator<Object> key = key(given.get(2), given.truth(1, false));
        return Comparison.sorted(at, Values.list(at, value), key, given.truth(0, false));
    }

    private static Object dictsort(Rendering at, Object value, Arguments arguments) {
        plain(value, "dictsort", arguments);
        if (!(value instanceof Map)) {
            throw value instanceof Undefined missing
                    ? missing.refuse()
                    : new JinjaException("dictsort wants a map, got " + Values.type(value));
        }
        return Comparison.sorted(at, Methods.items(value), key(0L, false), false);
    }

    private static Object unique(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("unique", 0, "case_sensitive", "attribute");
        UnaryOperator<Object> key = key(given.get(1), given.truth(0, false));
        Set<Object> seen = new HashSet<>();
        Stream<Object> items = Values.stream(at, Values.iterate(value));
        return generator(items.filter(each -> seen.add(Values.key(key.apply(each)))));
    }

    private static Object map(Rendering at, Object value, Arguments arguments) {
        UnaryOperator<Object> function;
        if (arguments.positional().isEmpty()) {
            Bound given = arguments.bind("map", 1, "attribute", "default");
            Object otherwise = given.get(1);
            function = each -> {
                Object inner = within(each, given.get(0));
                return inner instanceof Undefined && otherwise != null ? otherwise : inner;
            };
        } else {
            Routine filter = Filters.find(name(arguments, 0));
            Arguments rest = rest(arguments, 1);
            function = each -> filter.apply(at, each, rest);
        }
        return generator(Values.stream(at, orEmpty(value)).map(function));
    }

    /** Those for which a test holds, behind so many arguments: none, or the attribute that is tested. */
    private static Object selected(Rendering at, Object value, Arguments arguments, int before, boolean wanted) {
        int given = arguments.positional().size();
        if (given < before) {
            throw new JinjaException("selectattr and rejectattr want an attribute");
        }
        UnaryOperator<Object> inner =
                each -> before == 0 ? each : within(each, arguments.positional().get(0));
        Predicate<Object> holds = Values::truth;
        if (given > before) {
            Tests.Test test = Tests.find(name(arguments, before));
            Arguments rest = rest(arguments, before + 1);
            holds = each -> test.holds(at, each, rest);
        }
        Predicate<Object> test = holds;
        return generator(Values.stream(at, orEmpty(value)).filter(each -> test.test(inner.apply(each)) == wanted));
    }

    private static String name(Arguments arguments, int index) {
        if (arguments.positional().get(index) instanceof String name) {
            return name;
        }
        throw new JinjaException("the name of a filter or test is a text");
    }

    private static Arguments rest(Arguments arguments, int from) {
        List<Object> positional = arguments.positional();
        return new Arguments(positional.subList(from, positional.size()), arguments.named());
    }

    /** What is false, None too, has no items for these filters. */
    private static Iterator<Object> orEmpty(Object value) {
        return Values.truth(value) ? Values.iterate(value) : Collections.emptyIterator();
    }

    private static Generator generator(Stream<Object> items) {
        return new Generator(items.iterator());
    }
}
