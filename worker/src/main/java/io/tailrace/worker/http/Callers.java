package io.tailrace.worker.http;

import java.util.function.UnaryOperator;

/** Whose lane a call belongs to, by its key or its header. */
final class Callers {
    private final EndpointOptions options;

    Callers(EndpointOptions options) {
        this.options = options;
    }

    /**
     * The scope of a call; checks its key.
     *
     * @param header gives a header's value, or null
     */
    String scope(UnaryOperator<String> header) {
        if (options.scopeByKey().isEmpty()) {
            String named = options.scopeHeader() == null ? null : header.apply(options.scopeHeader());
            return named == null || named.isBlank() ? options.scope() : named;
        }
        String scope = ApiKeys.scopeOf(options.scopeByKey(), header.apply("Authorization"));
        if (scope == null) {
            throw ApiException.unauthorized();
        }
        return scope;
    }
}
