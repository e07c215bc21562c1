package io.tailrace.tap.proxy;

import io.tailrace.worker.http.ApiKeys;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** Whose a request is. Its body is never asked: anybody can write anything there. */
@FunctionalInterface
public interface ScopeRule {
    /** The scope that a request's headers show; empty: none, and nothing of the request is kept or published. */
    Optional<String> scope(HttpFields headers);

    /** All requests are one tenant's. */
    static ScopeRule fixed(String scope) {
        return headers -> Optional.of(scope);
    }

    /** A gateway that knows who asks sets a header. One that comes twice names nobody: the client may have sent one of the two. */
    static ScopeRule header(String name) {
        return headers -> {
            List<String> values = headers.getValuesList(name);
            return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
        };
    }

    /** The API key decides; whether an unknown one is answered is the server's business. */
    static ScopeRule keys(Map<String, String> scopeByKey) {
        Map<String, String> known = Map.copyOf(scopeByKey);
        return headers -> {
            List<String> values = headers.getValuesList(HttpHeader.AUTHORIZATION);
            return values.size() == 1 ? Optional.ofNullable(ApiKeys.scopeOf(known, values.get(0))) : Optional.empty();
        };
    }
}
