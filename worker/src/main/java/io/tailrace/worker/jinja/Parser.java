package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Token.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the statements of a template. */
final class Parser {
    private static final Set<String> NO_TARGETS = Set.of("true", "false", "none", "True", "False", "None");
    private static final Set<String> LEFT_OUT =
            Set.of("include", "import", "from", "extends", "block", "autoescape", "trans", "do");

    private final Tokens tokens;
    private final ExpressionParser expressions;
    private int loops;

    Parser(Tokens tokens) {
        this.tokens = tokens;
        expressions = new ExpressionParser(tokens);
    }

    List<Statement> template() {
        return statements(Set.of());
    }

    /** Up to a tag of one of these names, whose name is read; without names, up to the end. */
    private List<Statement> statements(Set<String> ends) {
        tokens.enter();
        List<Statement> statements = new ArrayList<>();
        while (!isEnd(ends)) {
            Token token = tokens.next();
            switch (token.kind()) {
                case DATA -> statements.add(new Statements.Data(token.line(), token.text()));
                case PRINT_BEGIN -> {
                    statements.add(new Statements.Print(token.line(), expressions.several(true)));
                    tokens.expect(Kind.PRINT_END, "}}");
                }
                case BLOCK_BEGIN -> statements.add(statement(token.line()));
                default ->
                    throw new JinjaException(
                            "%s is missing"
                                    .formatted(String.join(
                                            " or ", ends.stream().sorted().toList())),
                            token.line());
            }
        }
        tokens.leave();
        return List.copyOf(statements);
    }

    private boolean isEnd(Set<String> ends) {
        if (tokens.current().kind() == Kind.END) {
            return ends.isEmpty();
        }
        boolean ended = tokens.current().kind() == Kind.BLOCK_BEGIN
                && tokens.look().kind() == Kind.NAME
                && ends.contains(tokens.look().text());
        return ended && tokens.next() != null;
    }

    /** The body of a block, with what ends the tag before it and the one behind it. */
    private List<Statement> body(String end) {
        tagEnd();
        List<Statement> body = statements(Set.of(end));
        tokens.next();
        blockEnd();
        return body;
    }

    private void tagEnd() {
        tokens.accept(":");
        blockEnd();
    }

    private void blockEnd() {
        tokens.expect(Kind.BLOCK_END, "%}");
    }

    private Statement statement(int line) {
        String name = tokens.name();
        return switch (name) {
            case "if" -> when(line);
            case "for" -> loop(line);
            case "set" -> set(line);
            case "macro" -> macro(line);
            case "call" -> call(line);
            case "filter" -> new Statements.Captured(line, null, expressions.filters(), body("endfilter"));
            case "with" -> with(line);
            case "generation" ->
                new Statements.Scoped(line, List.of(), List.of(), outsideLoops(() -> body("endgeneration")));
            case "print" -> print(line);
            case "break" -> jump(line, Statement.Flow.BREAK);
            case "continue" -> jump(line, Statement.Flow.CONTINUE);
            default ->
                throw new JinjaException(
                        LEFT_OUT.contains(name)
                                ? "'%s' is not for chat templates".formatted(name)
                                : "unknown tag '%s'".formatted(name),
                        line);
        };
    }

    private Statement print(int line) {
        Statement print = new Statements.Print(line, expressions.several(true));
        blockEnd();
        return print;
    }

    private Statement jump(int line, Statement.Flow flow) {
        blockEnd();
        if (loops == 0) {
            throw new JinjaException("'break' or 'continue' stands outside of a loop", line);
        }
        return new Statements.Jump(line, flow);
    }

    private List<Statement> outsideLoops(java.util.function.Supplier<List<Statement>> read) {
        int before = loops;
        loops = 0;
        List<Statement> body = read.get();
        loops = before;
        return body;
    }

    private Statement when(int line) {
        List<Expression> tests = new ArrayList<>();
        List<List<Statement>> bodies = new ArrayList<>();
        String next = "if";
        while (!next.equals("endif")) {
            if (!next.equals("else")) {
                tests.add(expressions.several(false));
            }
            tagEnd();
            bodies.add(statements(next.equals("else") ? Set.of("endif") : Set.of("elif", "else", "endif")));
            next = tokens.name();
        }
        blockEnd();
        if (bodies.size() == tests.size()) {
            bodies.add(List.of());
        }
        return new Statements.If(line, tests, bodies);
    }

    private Statement loop(int line) {
        Target target = target("in");
        tokens.expectName("in");
        Expression items = expressions.several(false);
        Expression test = tokens.acceptName("if") ? expressions.expression() : null;
        boolean recursive = tokens.acceptName("recursive");
        tagEnd();
        loops++;
        List<Statement> body = statements(Set.of("else", "endfor"));
        loops--;
        List<Statement> otherwise = List.of();
        if (tokens.name().equals("else")) {
            otherwise = body("endfor");
        } else {
            blockEnd();
        }
        return new For(line, target, items, test, recursive, body, otherwise);
    }

    /** Names that get values, up to a name or what cannot be one. */
    private Target target(String end) {
        List<Target> targets = new ArrayList<>();
        boolean several = false;
        do {
            several |= !targets.isEmpty();
            if (!targets.isEmpty()
                    && (tokens.isName(end)
                            || tokens.current().kind() == Kind.BLOCK_END
                            || tokens.isOperator("=")
                            || tokens.isOperator(")"))) {
                break;
            }
            targets.add(oneTarget());
        } while (tokens.accept(","));
        return several ? new Target.Several(targets) : targets.get(0);
    }

    private Target oneTarget() {
        if (tokens.accept("(")) {
            tokens.enter();
            Target inner = target(")");
            tokens.leave();
            tokens.expect(")");
            return inner;
        }
        String name = tokens.name();
        if (NO_TARGETS.contains(name) || (loops > 0 && name.equals("loop"))) {
            throw tokens.refuse("'%s' cannot be set".formatted(name));
        }
        return new Target.Name(name);
    }

    private Statement set(int line) {
        Target target;
        if (tokens.look().is(Kind.OPERATOR, ".")) {
            String namespace = tokens.name();
            tokens.expect(".");
            target = new Target.Attribute(namespace, tokens.name());
        } else {
            target = target("=");
        }
        if (tokens.accept("=")) {
            Expression value = expressions.several(true);
            blockEnd();
            return new Statements.Assign(line, target, value);
        }
        Statements.Captured.Filter filter = tokens.accept("|") ? expressions.filters() : null;
        return new Statements.Captured(line, target, filter, body("endset"));
    }

    private Statement macro(int line) {
        String name = tokens.name();
        tokens.expect("(");
        return new Statements.Define(line, signature(name, "endmacro", null));
    }

    private Statement call(int line) {
        Parameters parameters = tokens.accept("(") ? parameters() : new Parameters();
        Expression call = expressions.expression();
        if (!(call instanceof Expressions.Call called)) {
            throw new JinjaException("'call' wants a call", line);
        }
        return new Statements.CallWith(
                line, signature("caller", "endcall", parameters), called.called(), called.given());
    }

    /** Names of what a macro takes, with what they stand for if it is not given. */
    private static final class Parameters {
        private final List<String> names = new ArrayList<>();
        private final List<Expression> defaults = new ArrayList<>();
    }

    /** A macro from its parameters on, which may have been read. */
    private Macro.Signature signature(String name, String end, Parameters read) {
        Set<String> used = new HashSet<>();
        Set<String> outside = expressions.collectNames(used);
        Parameters parameters = read == null ? parameters() : read;
        List<Statement> body = outsideLoops(() -> body(end));
        expressions.collectNames(outside);
        outside.addAll(used);
        return new Macro.Signature(
                name,
                parameters.names,
                parameters.defaults,
                body,
                used.contains("caller"),
                used.contains("varargs"),
                used.contains("kwargs"));
    }

    private Parameters parameters() {
        Parameters parameters = new Parameters();
        boolean defaults = false;
        while (!tokens.accept(")")) {
            if (!parameters.names.isEmpty()) {
                tokens.expect(",");
            }
            parameters.names.add(tokens.name());
            boolean given = tokens.accept("=");
            if (defaults && !given) {
                throw tokens.refuse("a parameter without a default stands behind one with it");
            }
            defaults = given;
            parameters.defaults.add(given ? expressions.expression() : null);
        }
        return parameters;
    }

    private Statement with(int line) {
        List<Target> targets = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        while (tokens.current().kind() != Kind.BLOCK_END) {
            if (!targets.isEmpty()) {
                tokens.expect(",");
            }
            targets.add(oneTarget());
            tokens.expect("=");
            values.add(expressions.expression());
        }
        return new Statements.Scoped(line, targets, values, body("endwith"));
    }
}
