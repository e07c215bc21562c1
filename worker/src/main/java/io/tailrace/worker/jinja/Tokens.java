package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Token.Kind;
import java.util.List;
import java.util.Set;

/** Where a parser stands in a template's tokens, and how deep. */
final class Tokens {
    /** How deep brackets, signs and blocks may lie in each other. */
    private static final int NESTED_MAX = 100;

    private final List<Token> tokens;
    private int at;
    private int nested;

    Tokens(List<Token> tokens) {
        this.tokens = tokens;
    }

    Token current() {
        return tokens.get(at);
    }

    Token look() {
        return tokens.get(Math.min(at + 1, tokens.size() - 1));
    }

    Token next() {
        Token token = current();
        at = Math.min(at + 1, tokens.size() - 1);
        return token;
    }

    boolean isOperator(String operator) {
        return current().is(Kind.OPERATOR, operator);
    }

    boolean isOperator(Set<String> operators) {
        return current().kind() == Kind.OPERATOR && operators.contains(current().text());
    }

    boolean isName(String name) {
        return current().is(Kind.NAME, name);
    }

    boolean accept(String operator) {
        return isOperator(operator) && next() != null;
    }

    boolean acceptName(String name) {
        return isName(name) && next() != null;
    }

    void expect(String operator) {
        if (!accept(operator)) {
            throw refuse("expected '%s', got %s".formatted(operator, current().shown()));
        }
    }

    String name() {
        if (current().kind() != Kind.NAME) {
            throw refuse("expected a name, got " + current().shown());
        }
        return next().text();
    }

    void expect(Kind kind, String shown) {
        if (current().kind() != kind) {
            throw refuse("expected '%s', got %s".formatted(shown, current().shown()));
        }
        next();
    }

    void enter() {
        if (++nested > NESTED_MAX) {
            throw refuse("more than %d brackets, signs or blocks lie in each other".formatted(NESTED_MAX));
        }
    }

    void leave() {
        nested--;
    }

    /** For what Python's Jinja has and this package does not. */
    JinjaException leftOut(String what) {
        return JinjaException.leftOut(what).at(current().line());
    }

    JinjaException refuse(String words) {
        return new JinjaException(words, current().line());
    }
}
