package io.tailrace.suffix;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What is chosen for scopes.
 *
 * @param elsewhere in scopes that are not named
 * @param named in those that are
 */
record ByScope<T extends Serializable>(T elsewhere, Map<String, T> named) implements Serializable {
    ByScope {
        named = Map.copyOf(named);
    }

    /** Reads {@code [SCOPE=]CHOICE} once for each scope, and once without at most; {@code elsewhere} where it is not said. */
    static <T extends Serializable> ByScope<T> parse(List<String> texts, T elsewhere, Function<String, T> choices) {
        Map<String, T> named = new HashMap<>();
        T said = null;
        for (String text : texts) {
            int equals = text.lastIndexOf('=');
            T choice = choices.apply(text.substring(equals + 1));
            T before = equals < 0 ? said : named.put(text.substring(0, equals), choice);
            if (before != null) {
                throw new IllegalArgumentException("'%s' says again what was said before".formatted(text));
            }
            said = equals < 0 ? choice : said;
        }
        return new ByScope<>(said == null ? elsewhere : said, named);
    }
}
