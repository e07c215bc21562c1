package io.tailrace.worker.http;

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
}
