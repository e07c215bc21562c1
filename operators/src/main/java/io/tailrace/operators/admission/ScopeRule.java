package io.tailrace.operators.admission;

import static io.tailrace.operators.Preconditions.require;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which producers may write into which scopes. Both sides are names in which {@code *} stands for any characters.
 *
 * @param producers pattern of the producers it speaks of
 * @param scopes patterns of the scopes they may write into
 */
public record ScopeRule(Pattern producers, List<Pattern> scopes) implements Serializable {
    public ScopeRule {
        require(!scopes.isEmpty(), "a scope rule must allow at least one scope");
        scopes = List.copyOf(scopes);
    }

    /** Reads {@code producer=scope,scope}, e.g. {@code gateway-eu-*=acme,acme-shared}. */
    public static ScopeRule parse(String text) {
        int equals = text.indexOf('=');
        require(
                equals > 0 && equals < text.length() - 1,
                "a scope rule reads PRODUCER=SCOPE[,SCOPE...], got '%s'",
                text);
        List<Pattern> scopes = Arrays.stream(text.substring(equals + 1).split(",", -1))
                .map(ScopeRule::glob)
                .collect(Collectors.toList());
        return new ScopeRule(glob(text.substring(0, equals)), scopes);
    }

    boolean allows(String producer, String scope) {
        return producers.matcher(producer).matches()
                && scopes.stream().anyMatch(pattern -> pattern.matcher(scope).matches());
    }

    private static Pattern glob(String text) {
        String regex =
                Arrays.stream(text.strip().split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(regex);
    }
}
