package io.tailrace.tap.proxy;

import java.io.IOException;
import java.time.Duration;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens, and forwards every request to one server. */
public final class ProxyServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);
    /** How long a client's connection stays open without a request. */
    private static final Duration UNUSED_TIME_MAX = Duration.ofSeconds(75);
    /** No thread waits, so few suffice. */
    private static final int THREADS_MAX = 64;

    /**
     * Every buffer is made for one connection, and no other gets it: from a pool, one that was given back twice would carry the bytes of a client to another. That
     * has been seen to happen where requests were aborted.
     */
    static final ByteBufferPool UNSHARED = new ByteBufferPool.NonPooling();

    private final Server server;
    private final ServerConnector connector;
    private final GracefulHandler requests;
    private final KeptBody.Room room;

    private ProxyServer(ProxyOptions options, ForwardListener listener) {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS_MAX);
        threads.setName("tap");
        server = new Server(threads, null, UNSHARED);
        connector = new ServerConnector(server, new HttpConnectionFactory(transparent(options)));
        connector.setHost(options.host());
        connector.setPort(options.port());
        connector.setIdleTimeout(UNUSED_TIME_MAX.toMillis());
        room = new KeptBody.Room(options.keptBytesMax());
        requests = new GracefulHandler(new ForwardingHandler(options, room, listener));
        server.addConnector(connector);
        server.setHandler(requests);
        server.setStopTimeout(options.drainTimeMax().toMillis());
    }

    /**
     * Starts to forward.
     *
     * @throws IOException if it cannot listen where it is to
     */
    public static ProxyServer start(ProxyOptions options, ForwardListener listener) throws IOException {
        ProxyServer proxy = new ProxyServer(options, listener);
        try {
            proxy.server.start();
        } catch (Exception e) {
            proxy.close();
            throw new IOException(
                    "cannot listen at %s, port %d: end the process that holds the port, or give another host or port; port 0 takes any free one"
                            .formatted(options.host(), options.port()),
                    e);
        }
        LOG.info("http://{}:{} forwards to {}", options.host(), proxy.port(), options.upstream());
        return proxy;
    }

    /** The port that is bound. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Requests on their way. */
    public long running() {
        return requests.getCurrentRequestCount();
    }

    /** Bytes of all bodies that are kept now. */
    public long keptBytes() {
        return room.taken();
    }

    /** Takes no further requests, lets those on their way come to their ends within the time they have, and ends. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.warn("requests were still on their way: {}", e.toString());
        }
    }

    /** Any target goes through as it is written; nothing is added. The server is out of time before its client is. */
    private static HttpConfiguration transparent(ProxyOptions options) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(ForwardingHandler.HEADER_BYTES_MAX);
        http.setResponseHeaderSize(ForwardingHandler.HEADER_BYTES_MAX);
        http.setUriCompliance(UriCompliance.UNSAFE);
        http.setUseInputDirectByteBuffers(false);
        http.setHeaderCacheCaseSensitive(true);
        http.setIdleTimeout(
                options.idleTimeMax().plus(ForwardingHandler.CONNECT_TIME_MAX).toMillis());
        return http;
    }
}
