package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Statement.Action;
import io.tailrace.worker.jinja.Statement.Flow;
import io.tailrace.worker.jinja.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads the statements of a template. */
final class Parser {
    private static final Set<String> NO_TARGETS = Set.of("true", "false", "none", "True", "False", "None");
    private static final Set<String> LEFT_OUT =
            Set.of("include", "import", "from", "extends", "block", "autoescape", "call", "filter", "with");

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
                case DATA -> statements.add(statement(token, Statement.plain(at -> at.print(token.text()))));
                case PRINT_BEGIN -> statements.add(statement(token, print()));
                case BLOCK_BEGIN -> statements.add(statement(token, block(token.line())));
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

    private static Statement statement(Token begin, Action action) {
        return new Statement(begin.line(), action);
    }

    private Action print() {
        Expression value = expressions.expression();
        tokens.expect(Kind.PRINT_END, "}}");
        return Statement.plain(at -> at.print(Printing.text(at, at.value(value))));
    }

    private Action block(int line) {
        String name = tokens.name();
        return switch (name) {
            case "if" -> when();
            case "for" -> loop();
            case "set" -> set();
            case "macro" -> macro();
            case "generation" -> {
                List<Statement> body = outsideLoops(() -> body("endgeneration"));
                yield at -> at.scoped(new Scope(at.scope()), () -> at.body(body));
            }
            case "break" -> jump(line, Flow.BREAK);
            case "continue" -> jump(line, Flow.CONTINUE);
            default ->
                throw LEFT_OUT.contains(name)
                        ? JinjaException.leftOut("'%s'".formatted(name)).at(line)
                        : new JinjaException("unknown tag '%s'".formatted(name), line);
        };
    }

    private Action jump(int line, Flow flow) {
        blockEnd();
        if (loops == 0) {
            throw new JinjaException("'break' or 'continue' stands outside of a loop", line);
        }
        return at -> flow;
    }

    private List<Statement> outsideLoops(java.util.function.Supplier<List<Statement>> read) {
        int before = loops;
        loops = 0;
        List<Statement> body = read.get();
        loops = before;
        return body;
    }

    private Action when() {
        List<Expression> tests = new ArrayList<>();
        List<List<Statement>> bodies = new ArrayList<>();
        String next = "if";
        while (!next.equals("endif")) {
            tests.add(next.equals("else") ? at -> true : expressions.either());
            tagEnd();
            bodies.add(statements(next.equals("else") ? Set.of("endif") : Set.of("elif", "else", "endif")));
            next = tokens.name();
        }
        blockEnd();
        return at -> {
            for (int i = 0; i < tests.size(); i++) {
                if (Values.truth(at.value(tests.get(i)))) {
                    return at.body(bodies.get(i));
                }
            }
            return Flow.NEXT;
        };
    }

    private Action loop() {
        Target target = target();
        if (!tokens.acceptName("in")) {
            throw tokens.refuse("expected 'in', got " + tokens.current().shown());
        }
        Expression items = expressions.either();
        Expression test = tokens.acceptName("if") ? expressions.expression() : null;
        if (tokens.isName("recursive")) {
            throw tokens.leftOut("a loop that is 'recursive'");
        }
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
        return new For(target, items, test, body, otherwise);
    }

    /** Names that get values. */
    private Target target() {
        List<String> names = new ArrayList<>();
        do {
            if (tokens.isOperator("(")) {
                throw tokens.leftOut("a bracket around names that are set");
            }
            String name = tokens.name();
            if (NO_TARGETS.contains(name) || (loops > 0 && name.equals("loop"))) {
                throw tokens.refuse("'%s' cannot be set".formatted(name));
            }
            names.add(name);
        } while (tokens.accept(","));
        return new Target(List.copyOf(names));
    }

    private Action set() {
        if (tokens.look().is(Kind.OPERATOR, ".")) {
            return setAttribute();
        }
        Target target = target();
        if (tokens.accept("=")) {
            Expression value = expressions.several();
            blockEnd();
            return Statement.plain(at -> target.set(at, at.value(value)));
        }
        if (tokens.isOperator("|")) {
            throw tokens.leftOut("'set' with a body and a filter");
        }
        List<Statement> body = body("endset");
        return at -> {
            Flow[] flow = new Flow[1];
            String text = at.captured(() -> flow[0] = at.scoped(new Scope(at.scope()), () -> at.body(body)));
            if (flow[0] == Flow.NEXT) {
                target.set(at, text);
            }
            return flow[0];
        };
    }

    /** Of a namespace. */
    private Action setAttribute() {
        String namespace = tokens.name();
        tokens.expect(".");
        String name = tokens.name();
        tokens.expect("=");
        Expression value = expressions.several();
        blockEnd();
        return Statement.plain(at -> {
            Object set = at.value(value);
            if (!(at.name(namespace) instanceof Values.Namespace known)) {
                throw new JinjaException("'%s' is no namespace, '%s' cannot be set".formatted(namespace, name));
            }
            known.names().put(name, set);
        });
    }

    private Action macro() {
        String name = tokens.name();
        tokens.expect("(");
        List<String> parameters = new ArrayList<>();
        List<Expression> defaults = new ArrayList<>();
        boolean optional = false;
        while (!tokens.accept(")")) {
            if (!parameters.isEmpty()) {
                tokens.expect(",");
            }
            parameters.add(tokens.name());
            boolean given = tokens.accept("=");
            if (optional && !given) {
                throw tokens.refuse("a parameter without a default stands behind one with it");
            }
            optional = given;
            defaults.add(given ? expressions.expression() : null);
        }
        List<Statement> body = outsideLoops(() -> body("endmacro"));
        return Statement.plain(at -> at.scope().set(name, new Macro(name, parameters, defaults, body, at.scope())));
    }
}
