package io.tailrace.worker.jinja;

/**
 * A piece of a template.
 *
 * @param text as it stands there; of a string: what it means
 * @param value of a number, or null
 */
record Token(Kind kind, String text, Number value, int line) {
    enum Kind {
        DATA,
        PRINT_BEGIN,
        PRINT_END,
        BLOCK_BEGIN,
        BLOCK_END,
        NAME,
        STRING,
        NUMBER,
        OPERATOR,
        END
    }

    boolean is(Kind wanted, String words) {
        return kind == wanted && text.equals(words);
    }

    /** For messages. */
    String shown() {
        return kind == Kind.END ? "the end of the template" : "'" + text + "'";
    }
}
