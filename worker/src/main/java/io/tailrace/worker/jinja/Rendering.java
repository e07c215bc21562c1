package io.tailrace.worker.jinja;

import java.util.Map;
import java.util.function.Supplier;

/**
 * One template being rendered: its names, what it has printed, and what it may still use up. Every expression and statement is evaluated
 * through here, so a template that recurses, loops or doubles a text without end meets a limit within seconds and some hundred megabytes.
 */
final class Rendering {
    /** Of the output, and of each text on the way. */
    private static final int TEXT_CHARS_MAX = 16 << 20;

    /** Of all texts that are made, together. */
    private static final long CHARS_MAX = 256L << 20;
    /** Expressions, statements, items and the like. */
    private static final long STEPS_MAX = 10_000_000;

    /** Of expressions, statements and calls in each other: what a thread's stack holds with ease. */
    private static final int DEPTH_MAX = 600;
    /** A macro's call lies as deep as so many expressions. */
    private static final int CALL_DEPTH = 3;

    private final Map<String, Object> globals;
    private Scope scope;
    private StringBuilder out = new StringBuilder();
    private long steps;
    private long chars;
    private int depth;
    private int line;

    Rendering(Map<String, Object> names, Map<String, Object> globals) {
        this.globals = globals;
        scope = new Scope(names);
    }

    Object value(Expression expression) {
        enter();
        Object value = expression.evaluate(this);
        depth--;
        return value;
    }

    /** Renders what stands in a block. */
    Statement.Flow body(Iterable<Statement> statements) {
        for (Statement statement : statements) {
            enter();
            line = statement.line();
            Statement.Flow flow = statement.action().render(this);
            depth--;
            if (flow != Statement.Flow.NEXT) {
                return flow;
            }
        }
        return Statement.Flow.NEXT;
    }

    /** What a macro does, which may call it again. */
    <T> T called(Supplier<T> macro) {
        deeper(CALL_DEPTH);
        T result = macro.get();
        depth -= CALL_DEPTH;
        return result;
    }

    private void enter() {
        spend(1);
        deeper(1);
    }

    private void deeper(int by) {
        depth += by;
        if (depth > DEPTH_MAX) {
            throw new JinjaException("the template calls itself, or lies, deeper than %d".formatted(DEPTH_MAX));
        }
    }

    /** What is printed meanwhile, instead of printing it. */
    String captured(Runnable printing) {
        StringBuilder outside = out;
        out = new StringBuilder();
        printing.run();
        String text = out.toString();
        out = outside;
        return text;
    }

    /** Runs something with names of its own, which end with it. */
    <T> T scoped(Scope inner, Supplier<T> body) {
        Scope outside = scope;
        scope = inner;
        T result = body.get();
        scope = outside;
        return result;
    }

    Scope scope() {
        return scope;
    }

    Object name(String name) {
        for (Scope each = scope; each != null; each = each.outer()) {
            if (each.has(name)) {
                return each.get(name);
            }
        }
        Object global = globals.get(name);
        return global == null ? Undefined.name(name) : global;
    }

    void print(String text) {
        spendText(text);
        requireText(out.length() + (long) text.length());
        out.append(text);
    }

    void spend(int count) {
        steps += count;
        if (steps > STEPS_MAX) {
            throw new JinjaException("rendering takes more than %d steps".formatted(STEPS_MAX));
        }
    }

    /** Counts a text that was made. */
    String spendText(String text) {
        requireText(text.length());
        chars += text.length();
        if (chars > CHARS_MAX) {
            throw new JinjaException("rendering makes texts of more than %d characters together".formatted(CHARS_MAX));
        }
        return text;
    }

    String spendText(String left, String right) {
        requireText((long) left.length() + right.length());
        return spendText(left + right);
    }

    /** Refuses a text that would be too long, before it is made. */
    void requireText(long length) {
        if (length > TEXT_CHARS_MAX) {
            throw new JinjaException("a text has more than %d characters".formatted(TEXT_CHARS_MAX));
        }
    }

    int line() {
        return line;
    }

    String output() {
        return out.toString();
    }
}
