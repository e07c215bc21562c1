package io.tailrace.e2e.simulation;

/** Something is not as it should be. */
final class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("AnnotateFormatMethod") // the annotation lives in a library that nothing else here needs
    BrokenInvariantException(String rule, Object... values) {
        super(rule.formatted(values));
    }
}
