package io.tailrace.tap.proxy;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a proxy listens and what it stands before.
 *
 * @param host address to bind
 * @param port port to bind; 0: any free one
 * @param upstream the server: http or https, host and port, no path
 * @param scopeHeader request header whose values an exchange carries; empty: none
 * @param connectionsMax requests on their way at once; more wait
 * @param idleTimeMax how long the server may say nothing within a request; a client may a little longer, so that it hears of it
 * @param drainTimeMax how long requests on their way may take once it is told to end
 * @param kept what may be kept of bodies
 */
public record ProxyOptions(
        String host,
        int port,
        URI upstream,
        Optional<String> scopeHeader,
        int connectionsMax,
        Duration idleTimeMax,
        Duration drainTimeMax,
        KeptLimits kept) {
    /** Of the headers of a request, and of those of an answer. */
    static final int HEADER_BYTES_MAX = 64 << 10;
    /** How long connecting to the server may take. */
    static final Duration CONNECT_TIME_MAX = Duration.ofSeconds(5);
    /** How long a client's connection stays open without a request. */
    static final Duration UNUSED_TIME_MAX = Duration.ofSeconds(75);
    /** No thread waits, so few suffice. */
    static final int THREADS_MAX = 64;

    public ProxyOptions {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(scopeHeader, "scopeHeader");
        Objects.requireNonNull(idleTimeMax, "idleTimeMax");
        Objects.requireNonNull(drainTimeMax, "drainTimeMax");
        Objects.requireNonNull(kept, "kept");
        if (port < 0 || port > 65_535 || connectionsMax < 1) {
            throw new IllegalArgumentException("port must be 0 to 65535 and connectionsMax at least 1; got %d and %d"
                    .formatted(port, connectionsMax));
        }
        boolean http = "http".equals(upstream.getScheme()) || "https".equals(upstream.getScheme());
        boolean bare = upstream.getPath() == null
                || upstream.getPath().isEmpty()
                || upstream.getPath().equals("/");
        if (!http || upstream.getHost() == null || !bare || upstream.getQuery() != null) {
            throw new IllegalArgumentException(
                    "upstream must read http://HOST:PORT or https://HOST:PORT without a path, got " + upstream);
        }
    }

    /** Loopback, any free port, 4,096 connections, an hour of silence, 30 s to end, the default of what is kept. */
    public static ProxyOptions to(URI upstream) {
        return new ProxyOptions(
                "127.0.0.1",
                0,
                upstream,
                Optional.empty(),
                4_096,
                Duration.ofHours(1),
                Duration.ofSeconds(30),
                KeptLimits.defaults());
    }

    public ProxyOptions withScopeHeader(String name) {
        return new ProxyOptions(
                host, port, upstream, Optional.of(name), connectionsMax, idleTimeMax, drainTimeMax, kept);
    }

    public ProxyOptions withKept(KeptLimits limits) {
        return new ProxyOptions(host, port, upstream, scopeHeader, connectionsMax, idleTimeMax, drainTimeMax, limits);
    }

    public ProxyOptions withTimes(Duration idle, Duration drain) {
        return new ProxyOptions(host, port, upstream, scopeHeader, connectionsMax, idle, drain, kept);
    }
}
