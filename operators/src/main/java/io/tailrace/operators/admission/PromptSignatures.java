package io.tailrace.operators.admission;

import io.tailrace.suffix.PromptSignature;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * Whether a signature of a prompt is kept with its answer, by which requests like it are found.
 *
 * @param keptElse in scopes that are not named
 * @param byScope in those that are
 */
public record PromptSignatures(boolean keptElse, Map<String, Boolean> byScope) implements Serializable {
    public PromptSignatures {
        byScope = Map.copyOf(byScope);
    }

    /** Kept everywhere. */
    public static PromptSignatures defaults() {
        return new PromptSignatures(true, Map.of());
    }

    /** Reads {@code [SCOPE=]on|off} once for each scope, and once without at most. */
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

    /** Of a prompt in a scope. */
    PromptSignature of(int[] prompt, String scope) {
        return byScope.getOrDefault(scope, keptElse) ? PromptSignature.of(prompt) : PromptSignature.NONE;
    }
}
