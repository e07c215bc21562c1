package io.tailrace.operators;

/** Checks of arguments and options whose messages name the rule and the value. */
public final class Preconditions {
    private Preconditions() {}

    /** Throws {@link IllegalArgumentException} with the formatted message unless the rule holds. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation lives in a library that nothing else here needs
    public static void require(boolean rule, String message, Object... values) {
        if (!rule) {
            throw new IllegalArgumentException(message.formatted(values));
        }
    }
}
