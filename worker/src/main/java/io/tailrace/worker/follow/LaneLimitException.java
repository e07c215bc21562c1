package io.tailrace.worker.follow;

/** A request for one more scope than the worker serves. */
public final class LaneLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LaneLimitException(int lanesMax) {
        super(
                "a worker serves at most %d scopes, got a request of one more; route it to a worker of another installation"
                        .formatted(lanesMax));
    }
}
