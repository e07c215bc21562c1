package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A macro, where it was defined: what it does not set itself it finds there. */
record Macro(Signature signature, Scope around) implements Callee {
    /**
     * What a macro takes and does.
     *
     * @param defaults by parameter; null: none
     * @param caller whether the body speaks of a caller
     */
    record Signature(
            String name,
            List<String> parameters,
            List<Expression> defaults,
            List<Statement> body,
            boolean caller,
            boolean varargs,
            boolean kwargs) {}

    @Override
    public String name() {
        return signature.name();
    }

    @Override
    public Object call(Rendering at, Arguments arguments) {
        Scope inner = new Scope(around);
        return at.called(() -> at.captured(() -> at.scoped(inner, () -> {
            bind(at, inner, arguments);
            return at.body(signature.body());
        })));
    }

    private void bind(Rendering at, Scope inner, Arguments arguments) {
        Map<String, Object> named = new LinkedHashMap<>(arguments.named());
        List<String> parameters = signature.parameters();
        int given = Math.min(arguments.positional().size(), parameters.size());
        List<Object> more =
                arguments.positional().subList(given, arguments.positional().size());
        for (int i = 0; i < parameters.size(); i++) {
            String name = parameters.get(i);
            if (i >= given && !named.containsKey(name)) {
                inner.set(name, new Undefined("parameter '%s' was not provided".formatted(name)));
            } else if (i < given) {
                inner.set(name, arguments.positional().get(i));
            } else {
                inner.set(name, named.remove(name));
            }
        }
        rest(inner, named, more);
        for (int i = given; i < parameters.size(); i++) {
            boolean left = !arguments.named().containsKey(parameters.get(i));
            if (left && signature.defaults().get(i) != null) {
                inner.set(parameters.get(i), at.value(signature.defaults().get(i)));
            }
        }
    }

    private void rest(Scope inner, Map<String, Object> named, List<Object> more) {
        if (signature.caller()) {
            Object caller =
                    named.containsKey("caller") ? named.remove("caller") : new Undefined("no caller is defined");
            inner.set("caller", caller);
        }
        if (signature.kwargs()) {
            inner.set("kwargs", new LinkedHashMap<Object, Object>(named));
        } else if (!named.isEmpty()) {
            throw new JinjaException("macro '%s' takes no '%s', or takes it once"
                    .formatted(name(), named.keySet().iterator().next()));
        }
        if (signature.varargs()) {
            inner.set("varargs", new Tuple(new ArrayList<>(more)));
        } else if (!more.isEmpty()) {
            throw new JinjaException("macro '%s' takes at most %d arguments"
                    .formatted(name(), signature.parameters().size()));
        }
    }

    Object attribute(String name) {
        return switch (name) {
            case "name" -> name();
            case "arguments" -> new Tuple(new ArrayList<>(signature.parameters()));
            default -> Access.ABSENT;
        };
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
