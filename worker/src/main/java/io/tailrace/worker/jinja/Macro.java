package io.tailrace.worker.jinja;

import java.util.List;

/**
 * A macro.
 *
 * @param defaults by parameter; null: none
 * @param around where it was defined: what it does not set itself it finds there
 */
record Macro(String name, List<String> parameters, List<Expression> defaults, List<Statement> body, Scope around)
        implements Callee {

    @Override
    public Object call(Rendering at, Arguments arguments) {
        Scope inner = new Scope(around);
        return at.called(() -> at.captured(() -> at.scoped(inner, () -> {
            bind(at, inner, arguments);
            return at.body(body);
        })));
    }

    private void bind(Rendering at, Scope inner, Arguments arguments) {
        String[] names = parameters.toArray(String[]::new);
        Arguments.Bound given = arguments.bind("macro '%s'".formatted(name), 0, names);
        for (int i = 0; i < names.length; i++) {
            Object missing = new Undefined("parameter '%s' was not provided".formatted(names[i]));
            inner.set(names[i], given.get(i, missing));
        }
        for (int i = 0; i < names.length; i++) {
            if (!given.has(i) && defaults.get(i) != null) {
                inner.set(names[i], at.value(defaults.get(i)));
            }
        }
    }
}
