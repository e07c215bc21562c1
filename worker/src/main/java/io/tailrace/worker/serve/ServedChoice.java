package io.tailrace.worker.serve;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.strategy.StrategySettings;
import io.tailrace.worker.draftmodel.ModelDrafts;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A strategy that needs the served model: {@code draft-model} with {@code layers=N} or {@code dir=PATH}, {@code tokens=N} and
 * {@code speculate=N}; and {@code hybrid:threshold=X:otherwise=NAME} with the parameters of {@code draft-model}.
 *
 * @param name which of the two
 * @param directory of the draft model; empty: the target's first layers draft
 * @param layers how many of them
 * @param drafting how the draft model drafts
 * @param threshold expected accepted tokens from which the suffix draft is taken
 * @param otherwise what drafts below it: {@code draft-model} or {@code token-recycling}
 */
record ServedChoice(
        String name,
        Optional<Path> directory,
        int layers,
        ModelDrafts.Options drafting,
        double threshold,
        String otherwise) {
    static final String DRAFT_MODEL = "draft-model";
    static final String HYBRID = "hybrid";
    private static final int TOKENS = 4;
    private static final String RECYCLING = "token-recycling";
    private static final Set<String> OF_DRAFT_MODEL = Set.of("dir", "layers", "speculate", "tokens");
    private static final Set<String> OF_HYBRID = Set.of("otherwise", "threshold");

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
        Map<String, String> parameters = parameters(text, parts);
        StrategySettings settings = new StrategySettings(new float[0], parameters);
        ModelDrafts.Options drafting = new ModelDrafts.Options(
                settings.integer("tokens", TOKENS, 1, DraftPolicy.BUDGET_MAX),
                settings.integer("speculate", 0, 0, ModelDrafts.Options.FORKS_MAX));
        return new ServedChoice(
                parts[0],
                Optional.ofNullable(parameters.get("dir")).map(Path::of),
                settings.integer("layers", Math.max(1, layersMax / 2), 1, layersMax),
                drafting,
                settings.number("threshold", 1, 0, Double.POSITIVE_INFINITY),
                otherwise(parameters));
    }

    private static Map<String, String> parameters(String text, String[] parts) {
        Set<String> known = new TreeSet<>(OF_DRAFT_MODEL);
        if (parts[0].equals(HYBRID)) {
            known.addAll(OF_HYBRID);
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", 2);
            if (pair.length < 2 || !known.contains(pair[0]) || parameters.put(pair[0], pair[1]) != null) {
                throw new IllegalArgumentException(
                        "strategy %s: write NAME:PARAMETER=VALUE:..., each parameter once, of %s; got %s"
                                .formatted(text, known, parts[i]));
            }
        }
        if (parameters.containsKey("dir") && parameters.containsKey("layers")) {
            throw new IllegalArgumentException(
                    "strategy %s: give dir (a model of its own) or layers (the target's first), not both"
                            .formatted(text));
        }
        return parameters;
    }

    private static String otherwise(Map<String, String> parameters) {
        String otherwise = parameters.getOrDefault("otherwise", DRAFT_MODEL);
        if (!otherwise.equals(DRAFT_MODEL) && !otherwise.equals(RECYCLING)) {
            throw new IllegalArgumentException(
                    "otherwise must be %s or %s, got %s".formatted(DRAFT_MODEL, RECYCLING, otherwise));
        }
        return otherwise;
    }
}
