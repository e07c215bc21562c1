package io.tailrace.worker.jinja;

/** A template cannot be read, or does not render: the line, and what is wrong there. */
public final class JinjaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final String words;

    JinjaException(String words) {
        this(words, 0);
    }

    JinjaException(String words, int line) {
        super(line == 0 ? words : "line %d: %s".formatted(line, words));
        this.line = line;
        this.words = words;
    }

    /** What Python's Jinja has and this package does not. */
    static JinjaException leftOut(String what) {
        return new JinjaException(what + " is not for chat templates");
    }

    /** The same with its line, unless it has one. */
    JinjaException at(int where) {
        return line == 0 && where != 0 ? new JinjaException(words, where) : this;
    }

    /** Counted from one; 0: not known. */
    public int line() {
        return line;
    }

    /** What is wrong, or what the template itself says with {@code raise_exception}. */
    public String words() {
        return words;
    }
}
