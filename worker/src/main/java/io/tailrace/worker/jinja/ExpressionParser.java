package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Expressions.Given;
import io.tailrace.worker.jinja.Token.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads expressions, from what binds least to what binds most. */
final class ExpressionParser {
    /** How many operators, calls or filters may stand in a row. */
    private static final int ROW_MAX = 300;

    private static final Set<String> ORDERS = Set.of("==", "!=", "<", "<=", ">", ">=");
    private static final Set<String> SUMS = Set.of("+", "-");
    private static final Set<String> PRODUCTS = Set.of("*", "/", "//", "%");
    private static final Set<Kind> ARGUMENT = Set.of(Kind.NAME, Kind.STRING, Kind.NUMBER);
    private static final Set<String> ARGUMENT_BRACKETS = Set.of("(", "[", "{");
    private static final Set<String> NO_ARGUMENT = Set.of("else", "or", "and");
    private static final Expression NONE = at -> null;

    private final Tokens tokens;

    ExpressionParser(Tokens tokens) {
        this.tokens = tokens;
    }

    Expression expression() {
        tokens.enter();
        Expression value = either();
        for (Row row = new Row(); tokens.acceptName("if"); row.count()) {
            Expression test = either();
            Expression otherwise = tokens.acceptName("else")
                    ? expression()
                    : at -> new Undefined("an 'if' without 'else' gives nothing");
            Expression held = value;
            value = at -> at.value(Values.truth(at.value(test)) ? held : otherwise);
        }
        tokens.leave();
        return value;
    }

    /** One expression, or several as a tuple. */
    Expression several() {
        Expression first = expression();
        if (!tokens.isOperator(",")) {
            return first;
        }
        List<Expression> items = new ArrayList<>(List.of(first));
        while (tokens.accept(",") && !tokens.isOperator(")") && tokens.current().kind() != Kind.BLOCK_END) {
            items.add(expression());
        }
        return at -> new Tuple(Expressions.all(at, items));
    }

    /** Without {@code if}. */
    Expression either() {
        Expression left = both();
        for (Row row = new Row(); tokens.acceptName("or"); row.count()) {
            left = Expressions.either(left, true, both());
        }
        return left;
    }

    private Expression both() {
        Expression left = not();
        for (Row row = new Row(); tokens.acceptName("and"); row.count()) {
            left = Expressions.either(left, false, not());
        }
        return left;
    }

    private Expression not() {
        if (!tokens.acceptName("not")) {
            return comparison();
        }
        tokens.enter();
        Expression not = Expressions.not(not());
        tokens.leave();
        return not;
    }

    private Expression comparison() {
        Expression first = sum();
        List<String> operators = new ArrayList<>();
        List<Expression> others = new ArrayList<>();
        for (String operator = order(); operator != null; operator = order()) {
            operators.add(operator);
            others.add(sum());
        }
        return operators.isEmpty() ? first : Expressions.compared(first, operators, others);
    }

    private String order() {
        if (tokens.isOperator(ORDERS)) {
            return tokens.next().text();
        }
        if (tokens.acceptName("in")) {
            return "in";
        }
        if (tokens.isName("not") && tokens.look().is(Kind.NAME, "in")) {
            tokens.next();
            tokens.next();
            return "not in";
        }
        return null;
    }

    private Expression sum() {
        Expression left = joined();
        for (Row row = new Row(); tokens.isOperator(SUMS); row.count()) {
            left = Expressions.operation(left, tokens.next().text(), joined());
        }
        return left;
    }

    private Expression joined() {
        Expression first = product();
        if (!tokens.isOperator("~")) {
            return first;
        }
        List<Expression> parts = new ArrayList<>();
        parts.add(first);
        while (tokens.accept("~")) {
            parts.add(product());
        }
        return Expressions.joined(parts);
    }

    private Expression product() {
        Expression left = signed(true);
        for (Row row = new Row(); tokens.isOperator(PRODUCTS); row.count()) {
            left = Expressions.operation(left, tokens.next().text(), signed(true));
        }
        return left;
    }

    private Expression signed(boolean filters) {
        Expression value;
        if (tokens.isOperator(SUMS)) {
            boolean minus = tokens.next().text().equals("-");
            tokens.enter();
            Expression unsigned = signed(false);
            value = at -> Operators.signed(minus, at.value(unsigned));
            tokens.leave();
        } else {
            value = primary();
        }
        Expression whole = postfix(value);
        if (tokens.isOperator("**")) {
            throw tokens.leftOut("'**'");
        }
        return filters ? filtered(whole) : whole;
    }

    private Expression primary() {
        Token token = tokens.next();
        return switch (token.kind()) {
            case NAME -> name(token.text());
            case STRING -> constant(strings(token));
            case NUMBER -> constant(token.value());
            case OPERATOR -> bracket(token);
            default -> throw new JinjaException("unexpected " + token.shown(), token.line());
        };
    }

    private static Expression constant(Object value) {
        return at -> value;
    }

    private Expression name(String name) {
        return switch (name) {
            case "true", "True" -> constant(true);
            case "false", "False" -> constant(false);
            case "none", "None" -> NONE;
            case "caller", "varargs", "kwargs" -> throw tokens.leftOut("'%s'".formatted(name));
            default -> at -> at.name(name);
        };
    }

    private String strings(Token first) {
        StringBuilder all = new StringBuilder(first.text());
        while (tokens.current().kind() == Kind.STRING) {
            all.append(tokens.next().text());
        }
        return all.toString();
    }

    private Expression bracket(Token token) {
        return switch (token.text()) {
            case "(" -> {
                Expression inner = tokens.isOperator(")") ? at -> new Tuple(List.of()) : several();
                tokens.expect(")");
                yield inner;
            }
            case "[" -> {
                List<Expression> items = listed();
                yield at -> Expressions.all(at, items);
            }
            case "{" -> dict();
            default -> throw new JinjaException("unexpected " + token.shown(), token.line());
        };
    }

    private List<Expression> listed() {
        List<Expression> items = new ArrayList<>();
        while (!tokens.accept("]")) {
            if (!items.isEmpty()) {
                tokens.expect(",");
            }
            if (!tokens.isOperator("]")) {
                items.add(expression());
            }
        }
        return items;
    }

    private Expression dict() {
        List<Expression> keys = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        while (!tokens.accept("}")) {
            if (!keys.isEmpty()) {
                tokens.expect(",");
            }
            if (!tokens.isOperator("}")) {
                keys.add(expression());
                tokens.expect(":");
                values.add(expression());
            }
        }
        return Expressions.dict(keys, values);
    }

    private Expression postfix(Expression value) {
        Expression left = value;
        for (Row row = new Row(); ; row.count()) {
            if (tokens.accept(".")) {
                left = dotted(left);
            } else if (tokens.accept("[")) {
                left = subscript(left);
            } else if (tokens.accept("(")) {
                left = Expressions.call(left, given());
            } else {
                return left;
            }
        }
    }

    private Expression dotted(Expression value) {
        Token token = tokens.next();
        if (token.kind() == Kind.NUMBER && Numbers.isWhole(token.value())) {
            return at -> Access.item(at.value(value), token.value());
        }
        if (token.kind() != Kind.NAME) {
            throw new JinjaException("expected a name, got " + token.shown(), token.line());
        }
        return at -> Access.attribute(at.value(value), token.text());
    }

    private Expression subscript(Expression value) {
        if (tokens.isOperator("]")) {
            throw tokens.leftOut("an empty key");
        }
        Expression first = tokens.isOperator(":") ? NONE : expression();
        if (tokens.accept("]")) {
            return at -> Access.item(at.value(value), at.value(first));
        }
        if (tokens.isOperator(",")) {
            throw tokens.leftOut("a key of several values");
        }
        tokens.expect(":");
        Expression to = tokens.isOperator(":") || tokens.isOperator("]") ? NONE : expression();
        Expression by = tokens.accept(":") && !tokens.isOperator("]") ? expression() : NONE;
        tokens.expect("]");
        return at -> Access.slice(at, at.value(value), at.value(first), at.value(to), at.value(by));
    }

    /** What stands behind an opened bracket, up to the one that closes it. */
    private Given given() {
        List<Expression> positional = new ArrayList<>();
        Map<String, Expression> named = new LinkedHashMap<>();
        while (!tokens.accept(")")) {
            argument(positional, named);
            if (!tokens.isOperator(")")) {
                tokens.expect(",");
            }
        }
        return new Given(positional, named);
    }

    private void argument(List<Expression> positional, Map<String, Expression> named) {
        if (tokens.isOperator("*") || tokens.isOperator("**")) {
            throw tokens.leftOut(
                    "'%s' before an argument".formatted(tokens.next().text()));
        }
        if (tokens.current().kind() == Kind.NAME && tokens.look().is(Kind.OPERATOR, "=")) {
            String name = tokens.name();
            tokens.expect("=");
            if (named.put(name, expression()) != null) {
                throw tokens.refuse("argument '%s' is given twice".formatted(name));
            }
        } else if (named.isEmpty()) {
            positional.add(expression());
        } else {
            throw tokens.refuse("an argument by position stands behind one by name");
        }
    }

    /** Filters and tests behind a value. */
    private Expression filtered(Expression value) {
        Expression left = value;
        for (Row row = new Row(); ; row.count()) {
            if (tokens.accept("|")) {
                left = filter(left);
            } else if (tokens.acceptName("is")) {
                left = test(left);
            } else {
                return left;
            }
        }
    }

    private Expression filter(Expression value) {
        String name = tokens.name();
        return Expressions.filtered(value, name, tokens.accept("(") ? given() : Given.NOTHING);
    }

    private Expression test(Expression value) {
        boolean not = tokens.acceptName("not");
        String name = tokens.name();
        Given given = Given.NOTHING;
        if (tokens.accept("(")) {
            given = given();
        } else if (isArgument()) {
            if (tokens.isName("is")) {
                throw tokens.refuse("tests do not follow each other");
            }
            tokens.enter();
            given = new Given(List.of(postfix(primary())), Map.of());
            tokens.leave();
        }
        Expression test = Expressions.tested(value, name, given);
        return not ? Expressions.not(test) : test;
    }

    private boolean isArgument() {
        Token token = tokens.current();
        boolean begins = ARGUMENT.contains(token.kind()) || tokens.isOperator(ARGUMENT_BRACKETS);
        return begins && !(token.kind() == Kind.NAME && NO_ARGUMENT.contains(token.text()));
    }

    /** Counts what stands in a row: each makes the tree one deeper. */
    private final class Row {
        private int count;

        void count() {
            if (++count > ROW_MAX) {
                throw tokens.refuse("more than %d operators, calls or filters stand in a row".formatted(ROW_MAX));
            }
        }
    }
}
