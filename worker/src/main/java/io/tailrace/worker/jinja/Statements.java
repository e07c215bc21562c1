package io.tailrace.worker.jinja;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The statements of templates, but for loops. */
final class Statements {
    private Statements() {}

    /** What stands outside of tags. */
    record Data(int line, String text) implements Statement {
        @Override
        public Flow render(Rendering at) {
            at.print(text);
            return Flow.NEXT;
        }
    }

    /** A value, printed. */
    record Print(int line, Expression value) implements Statement {
        @Override
        public Flow render(Rendering at) {
            at.print(Printing.text(at, at.value(value)));
            return Flow.NEXT;
        }
    }

    /** The first body whose test holds, or the last one. */
    record If(int line, List<Expression> tests, List<List<Statement>> bodies) implements Statement {
        @Override
        public Flow render(Rendering at) {
            for (int i = 0; i < tests.size(); i++) {
                if (Values.truth(at.value(tests.get(i)))) {
                    return at.body(bodies.get(i));
                }
            }
            return at.body(bodies.get(tests.size()));
        }
    }

    /** {@code set name = value}. */
    record Assign(int line, Target target, Expression value) implements Statement {
        @Override
        public Flow render(Rendering at) {
            target.set(at, at.value(value));
            return Flow.NEXT;
        }
    }

    /**
     * {@code set name} up to {@code endset}, and {@code filter}: what a body prints, through filters.
     *
     * @param target null: it is printed
     * @param filter of the text, or null
     */
    record Captured(int line, Target target, Filter filter, List<Statement> body) implements Statement {
        /** Makes an expression of the text. */
        interface Filter {
            /** The text, filtered. */
            Expression of(Expression text);
        }

        @Override
        public Flow render(Rendering at) {
            Flow[] flow = new Flow[1];
            Object text = at.captured(() -> flow[0] = at.scoped(new Scope(at.scope()), () -> at.body(body)));
            if (flow[0] != Flow.NEXT) {
                return flow[0];
            }
            Object value = filter == null ? text : at.value(filter.of(new Expressions.Constant(text)));
            if (target == null) {
                at.print(Printing.text(at, value));
            } else {
                target.set(at, value);
            }
            return Flow.NEXT;
        }
    }

    /** A macro, from here on. */
    record Define(int line, Macro.Signature signature) implements Statement {
        @Override
        public Flow render(Rendering at) {
            at.scope().set(signature.name(), new Macro(signature, at.scope()));
            return Flow.NEXT;
        }
    }

    /** A macro called with a body, which it calls {@code caller}. */
    record CallWith(int line, Macro.Signature caller, Expression called, Expressions.Given given) implements Statement {
        @Override
        public Flow render(Rendering at) {
            Object value = at.value(called);
            Arguments arguments = given.evaluate(at);
            Map<String, Object> named = new LinkedHashMap<>(arguments.named());
            named.put("caller", new Macro(caller, at.scope()));
            if (!(value instanceof Callee callee)) {
                throw new JinjaException("a %s cannot be called".formatted(Values.type(value)));
            }
            at.print(Printing.text(at, callee.call(at, new Arguments(arguments.positional(), named))));
            return Flow.NEXT;
        }
    }

    /** A body with names of its own: {@code with}, {@code generation}. */
    record Scoped(int line, List<Target> targets, List<Expression> values, List<Statement> body) implements Statement {
        @Override
        public Flow render(Rendering at) {
            Object[] given = values.stream().map(at::value).toArray();
            return at.scoped(new Scope(at.scope()), () -> {
                for (int i = 0; i < given.length; i++) {
                    targets.get(i).set(at, given[i]);
                }
                return at.body(body);
            });
        }
    }

    /** {@code break}, {@code continue}. */
    record Jump(int line, Flow flow) implements Statement {
        @Override
        public Flow render(Rendering at) {
            return flow;
        }
    }
}
