package io.tailrace.worker.follow;

/** A request for one more scope than the worker serves. */
public final class LaneLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LaneLimitException(int lanesMax) {
        super(
                "a worker serves at most %d lanes (lanesMax), got a request for one more; raise the limit or route the scope to another worker"
                        .formatted(lanesMax));
    }
}
