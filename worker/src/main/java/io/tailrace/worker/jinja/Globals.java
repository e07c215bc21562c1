package io.tailrace.worker.jinja;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What every template may call. */
final class Globals {
    /** The sandbox of Python's Jinja has the same limit. */
    private static final int RANGE_MAX = 100_000;

    static final Map<String, Callee> ALL = Map.of(
            "range",
            (at, arguments) -> range(arguments),
            "dict",
            Globals::dict,
            "namespace",
            (at, arguments) -> new Values.Namespace(dict(at, arguments)),
            "raise_exception",
            Globals::raise);

    private Globals() {}

    static Callee ofText(String name, UnaryOperator<String> function) {
        return (at, arguments) ->
                function.apply(arguments.bind(name, 1, "format").text(0));
    }

    private static Range range(Arguments arguments) {
        Arguments.Bound given = arguments.positional("range", 1, 3);
        boolean one = !given.has(1);
        long step = given.whole(2, 1);
        if (step == 0) {
            throw new JinjaException("the step of a range is not 0");
        }
        Range range = new Range(one ? 0 : given.whole(0, 0), one ? given.whole(0, 0) : given.whole(1, 0), step);
        if (range.size() > RANGE_MAX) {
            throw new JinjaException("a range has at most %d numbers".formatted(RANGE_MAX));
        }
        return range;
    }

    private static Map<Object, Object> dict(Rendering at, Arguments arguments) {
        if (!arguments.positional().isEmpty()) {
            throw JinjaException.leftOut("a map made of other than names");
        }
        Map<Object, Object> map = new LinkedHashMap<>(arguments.named());
        at.spend(map.size());
        return map;
    }

    private static Object raise(Rendering at, Arguments arguments) {
        Object message = arguments.bind("raise_exception", 1, "message").get(0);
        throw new JinjaException(Printing.text(at, message));
    }
}
