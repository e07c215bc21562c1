package io.tailrace.operators.admission;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.suffix.RememberedAnswer;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many of a prompt's last tokens are kept before its answer, for matching only.
 *
 * @param tokensElse in scopes that are not named
 * @param byScope in those that are
 */
public record PromptTails(int tokensElse, Map<String, Integer> byScope) implements Serializable {
    public PromptTails {
        byScope = Map.copyOf(byScope);
        check(tokensElse);
        byScope.values().forEach(PromptTails::check);
    }

    private static void check(int tokens) {
        require(
                tokens >= 0 && tokens <= RememberedAnswer.TAIL_TOKENS_MAX,
                "a prompt's tail must have 0 to %d tokens, got %d",
                RememberedAnswer.TAIL_TOKENS_MAX,
                tokens);
    }

    /** Three tokens everywhere: what chat templates end with. */
    public static PromptTails defaults() {
        return new PromptTails(RememberedAnswer.TAIL_TOKENS, Map.of());
    }

    /** Reads {@code [SCOPE=]TOKENS} once for each scope, and once without at most. */
    public static PromptTails parse(List<String> texts) {
        Map<String, Integer> byScope = new HashMap<>();
        Integer tokensElse = null;
        for (String text : texts) {
            int equals = text.lastIndexOf('=');
            int tokens = tokens(text, text.substring(equals + 1));
            Integer before = equals < 0 ? tokensElse : byScope.put(text.substring(0, equals), tokens);
            require(before == null, "'%s' says again what was said before", text);
            tokensElse = equals < 0 ? (Integer) tokens : tokensElse;
        }
        return new PromptTails(tokensElse == null ? RememberedAnswer.TAIL_TOKENS : tokensElse, byScope);
    }

    private static int tokens(String text, String number) {
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a prompt's tail reads [SCOPE=]TOKENS, got '" + text + "'", e);
        }
    }

    /** Of a scope. */
    int tokens(String scope) {
        return byScope.getOrDefault(scope, tokensElse);
    }
}
