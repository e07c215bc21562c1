package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Expressions.Given;
import io.tailrace.worker.jinja.Token.Kind;
import java.util.ArrayList;
import java.util.HashSet;
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
    private static final Expression NONE = new Expressions.Constant(null);

    private final Tokens tokens;
    private Set<String> names = new HashSet<>();

    ExpressionParser(Tokens tokens) {
        this.tokens = tokens;
    }

    /** The names that are read from now on, in a set that grows. */
    Set<String> collectNames(Set<String> into) {
        Set<String> before = names;
        names = into;
        return before;
    }

    Expression expression() {
        tokens.enter();
        Expression value = either();
        for (Row row = new Row(); tokens.acceptName("if"); row.count()) {
            Expression test = either();
            Expression otherwise = tokens.acceptName("else")
                    ? expression()
                    : new Expressions.Constant(new Undefined("an 'if' without 'else' gives nothing"));
            value = new Expressions.Conditional(test, value, otherwise);
        }
        tokens.leave();
        return value;
    }

    /** One expression, or several as a tuple. */
    Expression several(boolean conditional) {
        Expression first = conditional ? expression() : either();
        return tokens.isOperator(",") ? tuple(first, conditional) : first;
    }

    private Expression tuple(Expression first, boolean conditional) {
        List<Expression> items = new ArrayList<>();
        items.add(first);
        while (tokens.accept(",") && !isTupleEnd()) {
            items.add(conditional ? expression() : either());
        }
        return new Expressions.Items(items, true);
    }

    private boolean isTupleEnd() {
        Kind kind = tokens.current().kind();
        return kind == Kind.PRINT_END || kind == Kind.BLOCK_END || tokens.isOperator(")");
    }

    /** Without {@code if}. */
    Expression either() {
        Expression left = both();
        for (Row row = new Row(); tokens.acceptName("or"); row.count()) {
            left = new Expressions.Either(left, true, both());
        }
        return left;
    }

    private Expression both() {
        Expression left = not();
        for (Row row = new Row(); tokens.acceptName("and"); row.count()) {
            left = new Expressions.Either(left, false, not());
        }
        return left;
    }

    private Expression not() {
        if (!tokens.acceptName("not")) {
            return comparison();
        }
        tokens.enter();
        Expression not = new Expressions.Not(not());
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
        return operators.isEmpty() ? first : new Expressions.Comparisons(first, operators, others);
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
            left = new Expressions.Operation(left, tokens.next().text(), joined());
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
        return new Expressions.Joined(parts);
    }

    private Expression product() {
        Expression left = power();
        for (Row row = new Row(); tokens.isOperator(PRODUCTS); row.count()) {
            left = new Expressions.Operation(left, tokens.next().text(), power());
        }
        return left;
    }

    private Expression power() {
        Expression left = signed(true);
        for (Row row = new Row(); tokens.isOperator("**"); row.count()) {
            left = new Expressions.Operation(left, tokens.next().text(), signed(true));
        }
        return left;
    }

    private Expression signed(boolean filters) {
        Expression value;
        if (tokens.isOperator(SUMS)) {
            boolean minus = tokens.next().text().equals("-");
            tokens.enter();
            value = new Expressions.Signed(minus, signed(false));
            tokens.leave();
        } else {
            value = primary();
        }
        Expression whole = postfix(value);
        return filters ? filtered(whole) : whole;
    }

    private Expression primary() {
        Token token = tokens.next();
        return switch (token.kind()) {
            case NAME -> name(token.text());
            case STRING -> new Expressions.Constant(strings(token));
            case NUMBER -> new Expressions.Constant(token.value());
            case OPERATOR -> bracket(token);
            default -> throw new JinjaException("unexpected " + token.shown(), token.line());
        };
    }

    private Expression name(String name) {
        return switch (name) {
            case "true", "True" -> new Expressions.Constant(true);
            case "false", "False" -> new Expressions.Constant(false);
            case "none", "None" -> NONE;
            default -> {
                names.add(name);
                yield new Expressions.Name(name);
            }
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
                Expression inner = tokens.isOperator(")") ? new Expressions.Items(List.of(), true) : several(true);
                tokens.expect(")");
                yield inner;
            }
            case "[" -> new Expressions.Items(listed(), false);
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
        return new Expressions.Dict(keys, values);
    }

    private Expression postfix(Expression value) {
        Expression left = value;
        for (Row row = new Row(); ; row.count()) {
            if (tokens.accept(".")) {
                left = dotted(left);
            } else if (tokens.accept("[")) {
                left = subscript(left);
            } else if (tokens.accept("(")) {
                left = new Expressions.Call(left, given());
            } else {
                return left;
            }
        }
    }

    private Expression dotted(Expression value) {
        Token token = tokens.next();
        if (token.kind() == Kind.NUMBER && Numbers.isWhole(token.value())) {
            return new Expressions.Item(value, new Expressions.Constant(token.value()));
        }
        if (token.kind() != Kind.NAME) {
            throw new JinjaException("expected a name, got " + token.shown(), token.line());
        }
        return new Expressions.Attribute(value, token.text());
    }

    private Expression subscript(Expression value) {
        if (tokens.accept("]")) {
            return new Expressions.Item(value, new Expressions.Items(List.of(), true));
        }
        List<Expression> parts = new ArrayList<>();
        Expression first = tokens.isOperator(":") ? NONE : expression();
        if (!tokens.isOperator(":")) {
            Expression key = tokens.isOperator(",") ? keys(first) : first;
            tokens.expect("]");
            return new Expressions.Item(value, key);
        }
        parts.add(first);
        while (tokens.accept(":")) {
            parts.add(tokens.isOperator(":") || tokens.isOperator("]") ? NONE : expression());
        }
        tokens.expect("]");
        if (parts.size() > 3) {
            throw tokens.refuse("a slice has at most three parts");
        }
        return new Expressions.Slice(value, parts.get(0), parts.get(1), parts.size() == 3 ? parts.get(2) : NONE);
    }

    private Expression keys(Expression first) {
        List<Expression> keys = new ArrayList<>();
        keys.add(first);
        while (tokens.accept(",")) {
            keys.add(expression());
        }
        return new Expressions.Items(keys, true);
    }

    /** What stands behind an opened bracket, up to the one that closes it. */
    Given given() {
        List<Expression> positional = new ArrayList<>();
        Map<String, Expression> named = new LinkedHashMap<>();
        Expression star = null;
        Expression stars = null;
        for (boolean first = true; !tokens.accept(")"); first = false) {
            if (!first) {
                tokens.expect(",");
                if (tokens.accept(")")) {
                    break;
                }
            }
            if (stars == null && tokens.accept("**")) {
                stars = expression();
            } else if (star == null && stars == null && tokens.accept("*")) {
                star = expression();
            } else if (tokens.current().kind() == Kind.NAME && tokens.look().is(Kind.OPERATOR, "=")) {
                name(named, stars == null);
            } else if (star == null && stars == null && named.isEmpty()) {
                positional.add(expression());
            } else {
                throw tokens.refuse("an argument by position stands behind one by name");
            }
        }
        return new Given(positional, named, star, stars);
    }

    private void name(Map<String, Expression> named, boolean allowed) {
        String name = tokens.name();
        tokens.expect("=");
        if (!allowed || named.containsKey(name)) {
            throw tokens.refuse("argument '%s' is given twice or behind '**'".formatted(name));
        }
        named.put(name, expression());
    }

    /** Filters and tests behind a value. */
    private Expression filtered(Expression value) {
        Expression left = value;
        for (Row row = new Row(); ; row.count()) {
            if (tokens.isOperator("|")) {
                left = filter(left);
            } else if (tokens.acceptName("is")) {
                left = test(left);
            } else if (tokens.accept("(")) {
                left = new Expressions.Call(left, given());
            } else {
                return left;
            }
        }
    }

    private Expression filter(Expression value) {
        tokens.expect("|");
        String name = dottedName();
        return new Expressions.Filtered(value, name, tokens.accept("(") ? given() : Given.NOTHING);
    }

    /** A filter with no value before it; more may follow. */
    Statements.Captured.Filter filters() {
        List<String> filters = new ArrayList<>();
        List<Given> givens = new ArrayList<>();
        do {
            filters.add(dottedName());
            givens.add(tokens.accept("(") ? given() : Given.NOTHING);
        } while (tokens.accept("|"));
        if (filters.size() > ROW_MAX) {
            throw tokens.refuse("too many filters stand in a row");
        }
        return text -> {
            Expression value = text;
            for (int i = 0; i < filters.size(); i++) {
                value = new Expressions.Filtered(value, filters.get(i), givens.get(i));
            }
            return value;
        };
    }

    private String dottedName() {
        StringBuilder name = new StringBuilder(tokens.name());
        while (tokens.accept(".")) {
            name.append('.').append(tokens.name());
        }
        return name.toString();
    }

    private Expression test(Expression value) {
        boolean not = tokens.acceptName("not");
        String name = dottedName();
        Given given = Given.NOTHING;
        if (tokens.accept("(")) {
            given = given();
        } else if (isArgument()) {
            if (tokens.isName("is")) {
                throw tokens.refuse("tests do not follow each other");
            }
            tokens.enter();
            given = new Given(List.of(postfix(primary())), Map.of(), null, null);
            tokens.leave();
        }
        Expression test = new Expressions.Tested(value, name, given);
        return not ? new Expressions.Not(test) : test;
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
