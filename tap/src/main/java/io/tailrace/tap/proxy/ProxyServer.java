package io.tailrace.tap.proxy;

import java.io.IOException;
import org.eclipse.jetty.http.UriCompliance;
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

    private final Server server;
    private final ServerConnector connector;
    private final ForwardingHandler handler;
    private final KeptRoom room;

    private ProxyServer(ProxyOptions options, ForwardListener listener) {
        this.room = new KeptRoom(options.kept().allBytesMax());
        this.handler = new ForwardingHandler(options, room, listener);
        QueuedThreadPool threads = new QueuedThreadPool(ProxyOptions.THREADS_MAX);
        threads.setName("tap");
        this.server = new Server(threads);
        this.connector = new ServerConnector(server, new HttpConnectionFactory(transparent(options)));
        connector.setHost(options.host());
        connector.setPort(options.port());
        connector.setIdleTimeout(ProxyOptions.UNUSED_TIME_MAX.toMillis());
        server.addConnector(connector);
        server.setHandler(new GracefulHandler(handler));
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
    public int running() {
        return handler.running();
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

    /** Any target and any name of a header goes through as it is written; nothing is added. */
    private static HttpConfiguration transparent(ProxyOptions options) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setSendXPoweredBy(false);
        http.setRequestHeaderSize(ProxyOptions.HEADER_BYTES_MAX);
        http.setResponseHeaderSize(ProxyOptions.HEADER_BYTES_MAX);
        http.setUriCompliance(UriCompliance.UNSAFE);
        http.setHttpCompliance(ForwardingHandler.AS_WRITTEN);
        http.setIdleTimeout(
                options.idleTimeMax().plus(ProxyOptions.CONNECT_TIME_MAX).toMillis());
        return http;
    }
}
