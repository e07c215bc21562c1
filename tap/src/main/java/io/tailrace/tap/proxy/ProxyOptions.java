package io.tailrace.tap.proxy;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;

/**
 * Where a proxy listens and what it stands before.
 *
 * @param host address to bind
 * @param port port to bind; 0: any free one
 * @param upstream the server: {@code http://HOST:PORT}
 * @param scopes whose a request is
 * @param keptBytesMax most bytes of all bodies in memory together; what has no room is forwarded all the same
 * @param idleTimeMax how long the server may say nothing within a request
 * @param drainTimeMax how long requests on their way may take once it is told to end
 */
public record ProxyOptions(
        String host,
        int port,
        URI upstream,
        ScopeRule scopes,
        long keptBytesMax,
        Duration idleTimeMax,
        Duration drainTimeMax) {
    public static final long KEPT_BYTES_MAX = 256 << 20;
    /** A long answer that is not streamed is computed in silence. */
    public static final Duration IDLE_TIME_MAX = Duration.ofHours(1);

    public static final Duration DRAIN_TIME_MAX = Duration.ofSeconds(30);

    public ProxyOptions {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(scopes, "scopes");
        Objects.requireNonNull(idleTimeMax, "idleTimeMax");
        Objects.requireNonNull(drainTimeMax, "drainTimeMax");
        if (port < 0 || port > 65_535 || keptBytesMax < 1) {
            throw new IllegalArgumentException(
                    "port must be 0 to 65535 and keptBytesMax at least 1; got %d and %d".formatted(port, keptBytesMax));
        }
        boolean bare = upstream.getRawPath() == null || upstream.getRawPath().length() <= 1;
        boolean more = upstream.getRawQuery() != null || upstream.getRawUserInfo() != null;
        if (!"http".equals(upstream.getScheme()) || upstream.getHost() == null || !bare || more) {
            throw new IllegalArgumentException("upstream must read http://HOST:PORT, got " + upstream);
        }
    }

    /** Loopback, any free port, and the limits above. */
    public static ProxyOptions to(URI upstream, ScopeRule scopes) {
        return new ProxyOptions("127.0.0.1", 0, upstream, scopes, KEPT_BYTES_MAX, IDLE_TIME_MAX, DRAIN_TIME_MAX);
    }
}
