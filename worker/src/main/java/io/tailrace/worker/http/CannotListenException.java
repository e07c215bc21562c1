package io.tailrace.worker.http;

/** A server cannot listen at its address; the message says where, why, and what to do. */
public final class CannotListenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CannotListenException(String host, int port, Throwable cause) {
        super(
                "cannot listen at %s, port %d (%s): end the process that holds the port, or give another host or port; port 0 takes any free one"
                        .formatted(host, port, innermost(cause)),
                cause);
    }

    private static String innermost(Throwable failure) {
        Throwable inner = failure;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner.getMessage() == null ? inner.toString() : inner.getMessage();
    }
}
