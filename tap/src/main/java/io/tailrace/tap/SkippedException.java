package io.tailrace.tap;

/** On its way to being counted. */
final class SkippedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final SkipReason reason;

    SkippedException(SkipReason reason) {
        super(reason.label(), null, false, false);
        this.reason = reason;
    }

    SkipReason reason() {
        return reason;
    }
}
