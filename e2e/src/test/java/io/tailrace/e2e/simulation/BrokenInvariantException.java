package io.tailrace.e2e.simulation;

/** Something is not as it should be. */
final class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private BrokenInvariantException(String message) {
        super(message);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation lives in a library that nothing else here needs
    static BrokenInvariantException broken(String rule, Object... values) {
        return new BrokenInvariantException(rule.formatted(values));
    }
}
