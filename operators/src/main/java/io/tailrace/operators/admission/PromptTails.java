package io.tailrace.operators.admission;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.suffix.RememberedAnswer;
import java.io.Serializable;
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
        ByScope<Integer> said = ByScope.parse(texts, RememberedAnswer.TAIL_TOKENS, PromptTails::tokensOf);
        return new PromptTails(said.elsewhere(), said.named());
    }

    private static int tokensOf(String number) {
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a prompt's tail reads [SCOPE=]TOKENS, got '" + number + "'", e);
        }
    }

    /** Of a scope. */
    int tokens(String scope) {
        return byScope.getOrDefault(scope, tokensElse);
    }
}
