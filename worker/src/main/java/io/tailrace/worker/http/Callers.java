package io.tailrace.worker.http;

import java.util.List;
import java.util.function.Function;

/** Whose lane a call belongs to, by its key or its header. */
final class Callers {
    private final EndpointOptions options;

    Callers(EndpointOptions options) {
        this.options = options;
    }

    /**
     * The scope of a call; checks its key.
     *
     * @param headers gives a header's values
     */
    String scope(Function<String, List<String>> headers) {
        if (options.scopeByKey().isEmpty()) {
            String named = options.scopeHeader() == null ? null : only(headers, options.scopeHeader());
            return named == null || named.isBlank() ? options.scope() : named;
        }
        String scope = ApiKeys.scopeOf(options.scopeByKey(), only(headers, "Authorization"));
        if (scope == null) {
            throw ApiException.unauthorized();
        }
        return scope;
    }

    /** A header's value, or null. One that comes twice names nobody: the client may have sent one of the two. */
    private static String only(Function<String, List<String>> headers, String name) {
        List<String> values = headers.apply(name);
        if (values.size() > 1) {
            throw ApiException.repeated(name);
        }
        return values.isEmpty() ? null : values.get(0);
    }
}
