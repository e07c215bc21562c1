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
 * @param requestsMax most requests on their way at once; a quarter of them may wait for their bodies
 * @param bodyPauseMax how long a client may send nothing of a body that is waited for; ten times that in all
 * @param idleTimeMax how long the server may say nothing within a request
 * @param drainTimeMax how long requests on their way may take once it is told to end
 */
public record ProxyOptions(
        String host,
        int port,
        URI upstream,
        ScopeRule scopes,
        long keptBytesMax,
        int requestsMax,
        Duration bodyPauseMax,
        Duration idleTimeMax,
        Duration drainTimeMax) {
    public static final long KEPT_BYTES_MAX = 256 << 20;
    public static final int REQUESTS_MAX = 4_096;
    /** A line that is silent for longer has broken. In all that leaves 4 MiB five minutes: 14 KB/s. */
    public static final Duration BODY_PAUSE_MAX = Duration.ofSeconds(30);
    /** A long answer that is not streamed is computed in silence. */
    public static final Duration IDLE_TIME_MAX = Duration.ofHours(1);

    public static final Duration DRAIN_TIME_MAX = Duration.ofSeconds(30);

    public ProxyOptions {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(scopes, "scopes");
        Objects.requireNonNull(bodyPauseMax, "bodyPauseMax");
        Objects.requireNonNull(idleTimeMax, "idleTimeMax");
        Objects.requireNonNull(drainTimeMax, "drainTimeMax");
        if (port < 0 || port > 65_535 || keptBytesMax < 1 || requestsMax < 4) {
            throw new IllegalArgumentException(
                    "port must be 0 to 65535, keptBytesMax at least 1 and requestsMax at least 4; got %d, %d and %d"
                            .formatted(port, keptBytesMax, requestsMax));
        }
        boolean bare = upstream.getRawPath() == null || upstream.getRawPath().length() <= 1;
        boolean more = upstream.getRawQuery() != null || upstream.getRawUserInfo() != null;
        if (!"http".equals(upstream.getScheme()) || upstream.getHost() == null || !bare || more) {
            throw new IllegalArgumentException("upstream must read http://HOST:PORT, got " + upstream);
        }
    }

    /** Loopback, any free port, and the limits above. */
    public static ProxyOptions to(URI upstream, ScopeRule scopes) {
        return new ProxyOptions(
                "127.0.0.1",
                0,
                upstream,
                scopes,
                KEPT_BYTES_MAX,
                REQUESTS_MAX,
                BODY_PAUSE_MAX,
                IDLE_TIME_MAX,
                DRAIN_TIME_MAX);
    }
}
