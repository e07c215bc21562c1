package io.tailrace.monitoring;

import io.javalin.Javalin;
import io.javalin.util.JavalinException;

/** The start of a server. */
public final class Listening {
    private Listening() {}

    /**
     * Binds a server to its address and starts it.
     *
     * @throws CannotListenException if the address cannot be had; nothing of the server goes on then
     */
    public static void start(Javalin server, String host, int port) {
        try {
            server.start(host, port);
        } catch (JavalinException e) {
            server.stop();
            throw new CannotListenException(host, port, e);
        }
    }

    /** A server cannot listen at its address; the message says where, why, and what to do. */
    public static final class CannotListenException extends RuntimeException {
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
}
