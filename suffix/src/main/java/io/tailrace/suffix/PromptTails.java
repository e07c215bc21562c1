package io.tailrace.suffix;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * How many of a prompt's last tokens are kept before its answer, for matching only.
 *
 * @param tokensElse in scopes that are not named
 * @param byScope in those that are
 * @serial exclude
 */
@SuppressWarnings("InvalidBlockTag") // a record's serial form needs comments that its components cannot have
public record PromptTails(int tokensElse, Map<String, Integer> byScope) implements Serializable {
    /**
     * Checks the numbers.
     *
     * @param tokensElse in scopes that are not named
     * @param byScope in those that are
     */
    public PromptTails {
        byScope = Map.copyOf(byScope);
        check(tokensElse);
        byScope.values().forEach(PromptTails::check);
    }

    private static void check(int tokens) {
        if (tokens < 0 || tokens > RememberedAnswer.TAIL_TOKENS_MAX) {
            throw new IllegalArgumentException("a prompt's tail must have 0 to %d tokens, got %d"
                    .formatted(RememberedAnswer.TAIL_TOKENS_MAX, tokens));
        }
    }

    /**
     * Three tokens everywhere: what chat templates end with.
     *
     * @return what holds where nobody says otherwise
     */
    public static PromptTails defaults() {
        return new PromptTails(RememberedAnswer.TAIL_TOKENS, Map.of());
    }

    /**
     * Reads {@code [SCOPE=]TOKENS} once for each scope, and once without at most.
     *
     * @param texts what was said
     * @return what it means
     */
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

    /**
     * Of a scope.
     *
     * @param scope its name
     * @return 0 to {@link RememberedAnswer#TAIL_TOKENS_MAX}
     */
    public int tokens(String scope) {
        return byScope.getOrDefault(scope, tokensElse);
    }
}
