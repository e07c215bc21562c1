package io.tailrace.worker.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Notices that a client has gone while its request is worked on and nothing is written to it. HTTP servers see that only when
 * they read or write; here the connection is asked to tell when it becomes readable, which a client that waits for its answer never
 * makes it, and one that has gone does.
 *
 * <p>A client that sends its next request before the answer (pipelining) loses what it has sent of it, so {@link #endIfPipelined} has
 * the connection closed after the answer; such clients send the request again on a new one, as HTTP/1.1 asks of them. One that sends
 * more than a bound meanwhile is watched no longer.
 *
 * <p>Works on the server's HTTP/1.0 and HTTP/1.1 connections; on others it watches nothing.
 */
public final class ClientWatch implements Callback, AutoCloseable {
    private static final int READ_BYTES = 1 << 10;
    private static final int PIPELINED_BYTES_MAX = 64 << 10;

    private final HttpConnection http;
    private final AbstractEndPoint connection;
    private final Runnable gone;
    private boolean closed;
    private int pipelinedBytes;

    private ClientWatch(HttpConnection http, Runnable gone) {
        this.http = http;
        this.connection = http == null ? null : (AbstractEndPoint) http.getEndPoint();
        this.gone = gone;
    }

    /** Watches the request's client until closed; {@code gone} runs at most once, on a thread that must not be held up. */
    static ClientWatch of(HttpServletRequest request, Runnable gone) {
        return of(
                ServletContextRequest.getServletContextRequest(request)
                        .getConnectionMetaData()
                        .getConnection(),
                gone);
    }

    /**
     * The same of a connection whose request has been read to its end.
     *
     * @param gone runs at most once, on a thread that must not be held up
     */
    public static ClientWatch of(Connection connection, Runnable gone) {
        boolean plain = connection instanceof HttpConnection && connection.getEndPoint() instanceof AbstractEndPoint;
        ClientWatch watch = new ClientWatch(plain ? (HttpConnection) connection : null, gone);
        watch.watch();
        return watch;
    }

    /**
     * Has the connection closed behind the answer, if the client has sent something while it was watched: once the watch is closed,
     * on the thread that answers. Where the answer has begun the client learns it from the connection alone.
     */
    synchronized void endIfPipelined(HttpServletResponse answer) {
        if (endIfPipelined() && !answer.isCommitted()) {
            answer.setHeader("Connection", "close");
        }
    }

    /** The same of an answer that has begun; says whether the client has sent something. */
    public synchronized boolean endIfPipelined() {
        boolean pipelined = pipelinedBytes > 0;
        if (pipelined) {
            http.getGenerator().setPersistent(false);
        }
        return pipelined;
    }

    @Override
    public synchronized void succeeded() {
        if (closed) {
            return;
        }
        ByteBuffer lost = BufferUtil.allocate(READ_BYTES);
        int filled;
        try {
            filled = connection.fill(lost);
        } catch (IOException e) {
            filled = -1;
        }
        if (filled < 0) {
            closed = true;
            gone.run();
            return;
        }
        pipelinedBytes += filled;
        if (pipelinedBytes <= PIPELINED_BYTES_MAX) {
            watch();
        }
    }

    /** The connection's idle time is over, which says nothing of a client that waits. */
    @Override
    public synchronized void failed(Throwable cause) {
        if (!closed && connection.isOpen() && !(cause instanceof CancellationException)) {
            watch();
        }
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed || connection == null) {
                closed = true;
                return;
            }
            closed = true;
        }
        connection.getFillInterest().onFail(new CancellationException("the answer is complete"));
    }

    private void watch() {
        if (connection != null) {
            connection.tryFillInterested(this);
        }
    }
}
