package io.tailrace.worker.http;

import java.util.Map;
import java.util.Objects;

/**
 * How the endpoint listens and whom it serves.
 *
 * @param host address to bind
 * @param port port to bind; 0: any free one
 * @param requestBytesMax largest request
 * @param bodyMillisMax so long a request's body may be on its way
 * @param connectionsMax requests inside the server at once, answered or waiting
 * @param scope of requests whose key or header names none
 * @param scopeHeader request header that names the scope, set by a gateway that is trusted; null: none
 * @param scopeByKey API keys with the scope each may use; empty: no key is asked for
 * @param visibility what callers may learn of drafting
 * @param operatorPort port of metrics and health alone; 0: any free one; {@link #WITH_CALLERS}: at the callers' port
 */
public record EndpointOptions(
        String host,
        int port,
        long requestBytesMax,
        long bodyMillisMax,
        int connectionsMax,
        String scope,
        String scopeHeader,
        Map<String, String> scopeByKey,
        DraftVisibility visibility,
        int operatorPort) {
    /** Metrics are shown to who can call. */
    public static final int WITH_CALLERS = -1;

    private static final long BODY_MILLIS_MAX = 30_000;

    public EndpointOptions {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(visibility, "visibility");
        scopeByKey = Map.copyOf(scopeByKey);
        if (operatorPort < WITH_CALLERS || operatorPort > 65_535) {
            throw new IllegalArgumentException("operatorPort must be -1 to 65535, got " + operatorPort);
        }
        if (port < 0 || port > 65_535 || requestBytesMax < 1 || bodyMillisMax < 1 || connectionsMax < 1) {
            throw new IllegalArgumentException(
                    "port must be 0 to 65535, requestBytesMax, bodyMillisMax and connectionsMax at least 1; got %d, %d, %d and %d"
                            .formatted(port, requestBytesMax, bodyMillisMax, connectionsMax));
        }
    }

    /** Bodies may be on their way for 30 s, and nobody is told of drafting. */
    public EndpointOptions(
            String host,
            int port,
            long requestBytesMax,
            int connectionsMax,
            String scope,
            String scopeHeader,
            Map<String, String> scopeByKey) {
        this(
                host,
                port,
                requestBytesMax,
                BODY_MILLIS_MAX,
                connectionsMax,
                scope,
                scopeHeader,
                scopeByKey,
                DraftVisibility.defaults(),
                WITH_CALLERS);
    }

    /** Loopback, any free port, 4 MiB in 30 s, 200 connections, scope {@code default}, no keys. */
    public static EndpointOptions defaults() {
        return new EndpointOptions("127.0.0.1", 0, 4 << 20, 200, "default", null, Map.of());
    }

    public EndpointOptions withKeys(Map<String, String> keys) {
        return with(requestBytesMax, bodyMillisMax, keys, visibility, operatorPort);
    }

    public EndpointOptions withRequestBytesMax(long bytes) {
        return with(bytes, bodyMillisMax, scopeByKey, visibility, operatorPort);
    }

    public EndpointOptions withBodyMillisMax(long millis) {
        return with(requestBytesMax, millis, scopeByKey, visibility, operatorPort);
    }

    public EndpointOptions withVisibility(DraftVisibility ofDrafting) {
        return with(requestBytesMax, bodyMillisMax, scopeByKey, ofDrafting, operatorPort);
    }

    /** Metrics at a port of their own. */
    public EndpointOptions withOperatorPort(int ofOperators) {
        return with(requestBytesMax, bodyMillisMax, scopeByKey, visibility, ofOperators);
    }

    private EndpointOptions with(
            long bytes, long bodyMillis, Map<String, String> keys, DraftVisibility ofDrafting, int ofOperators) {
        return new EndpointOptions(
                host, port, bytes, bodyMillis, connectionsMax, scope, scopeHeader, keys, ofDrafting, ofOperators);
    }
}
