package io.tailrace.worker.serve;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.strategy.StrategySettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A strategy that needs the served model: {@code draft-model:layers=N:tokens=N}, and {@code hybrid:threshold=X:otherwise=NAME} with
 * the parameters of {@code draft-model}.
 *
 * @param name which of the two
 * @param layers first layers of the target that draft
 * @param tokens longest draft of theirs
 * @param threshold expected accepted tokens from which the suffix draft is taken
 * @param otherwise the strategy that drafts below it
 */
record ServedChoice(String name, int layers, int tokens, double threshold, String otherwise) {
    static final String DRAFT_MODEL = "draft-model";
    static final String HYBRID = "hybrid";
    private static final int TOKENS = 4;
    private static final String RECYCLING = "token-recycling";

    /** Whether a choice names one of them. */
    static boolean isServedOnly(String text) {
        String name = text.split(":", 2)[0];
        return name.equals(DRAFT_MODEL) || name.equals(HYBRID);
    }

    /**
     * Reads a choice.
     *
     * @param layersMax layers of the target; half of them draft if nothing is said
     * @throws IllegalArgumentException for a parameter that is not known, or a value out of its bounds
     */
    static ServedChoice parse(String text, int layersMax) {
        String[] parts = text.split(":", -1);
        boolean hybrid = parts[0].equals(HYBRID);
        Set<String> known = hybrid ? Set.of("threshold", "otherwise", "layers", "tokens") : Set.of("layers", "tokens");
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", 2);
            if (pair.length < 2 || !known.contains(pair[0]) || parameters.put(pair[0], pair[1]) != null) {
                throw new IllegalArgumentException(
                        "strategy %s: write NAME:PARAMETER=VALUE:..., each parameter once, of %s; got %s"
                                .formatted(text, known.stream().sorted().toList(), parts[i]));
            }
        }
        StrategySettings settings = new StrategySettings(new float[0], parameters);
        int layers = settings.integer("layers", Math.max(1, layersMax / 2), 1, layersMax);
        int tokens = settings.integer("tokens", TOKENS, 1, DraftPolicy.BUDGET_MAX);
        double threshold = settings.number("threshold", 1, 0, Double.POSITIVE_INFINITY);
        String otherwise = parameters.getOrDefault("otherwise", DRAFT_MODEL);
        if (!otherwise.equals(DRAFT_MODEL) && !otherwise.equals(RECYCLING)) {
            throw new IllegalArgumentException(
                    "otherwise must be %s or %s, got %s".formatted(DRAFT_MODEL, RECYCLING, otherwise));
        }
        String other = otherwise.equals(DRAFT_MODEL)
                ? "%s:layers=%d:tokens=%d".formatted(DRAFT_MODEL, layers, tokens)
                : otherwise;
        return new ServedChoice(parts[0], layers, tokens, threshold, other);
    }
}
