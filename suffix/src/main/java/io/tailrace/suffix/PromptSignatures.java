package io.tailrace.suffix;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * Whether a signature of a prompt is kept with its answer, by which requests like it are found.
 *
 * @param keptElse in scopes that are not named
 * @param byScope in those that are
 * @serial exclude
 */
@SuppressWarnings("InvalidBlockTag") // a record's serial form needs comments that its components cannot have
public record PromptSignatures(boolean keptElse, Map<String, Boolean> byScope) implements Serializable {
    /**
     * Copies the map.
     *
     * @param keptElse in scopes that are not named
     * @param byScope in those that are
     */
    public PromptSignatures {
        byScope = Map.copyOf(byScope);
    }

    /**
     * Kept everywhere.
     *
     * @return what holds where nobody says otherwise
     */
    public static PromptSignatures defaults() {
        return new PromptSignatures(true, Map.of());
    }

    /**
     * Reads {@code [SCOPE=]on|off} once for each scope, and once without at most.
     *
     * @param texts what was said
     * @return what it means
     */
    public static PromptSignatures parse(List<String> texts) {
        ByScope<Boolean> said = ByScope.parse(texts, true, PromptSignatures::isKept);
        return new PromptSignatures(said.elsewhere(), said.named());
    }

    private static boolean isKept(String choice) {
        return switch (choice) {
            case "on" -> true;
            case "off" -> false;
            default ->
                throw new IllegalArgumentException("a prompt's signature reads [SCOPE=]on|off, got '" + choice + "'");
        };
    }

    /**
     * Whether a scope keeps them.
     *
     * @param scope its name
     * @return false: it keeps none
     */
    public boolean kept(String scope) {
        return byScope.getOrDefault(scope, keptElse);
    }

    /**
     * Of a prompt in a scope.
     *
     * @param prompt its tokens
     * @param scope its name
     * @return {@link PromptSignature#NONE} where none is kept
     */
    public PromptSignature of(int[] prompt, String scope) {
        return kept(scope) ? PromptSignature.of(prompt) : PromptSignature.NONE;
    }
}
