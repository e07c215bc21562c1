package io.tailrace.lab.experiment;

import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.List;

/**
 * Who is compared by default: each published method as it is published, and at its best for an equal budget. Token Recycling
 * drafts from the model's own candidates, which recordings do not hold: its stand-in follows the tokens seen to follow.
 */
enum ComparedStrategies {
    ADAPTIVE("adaptive", "adaptive"),
    NONE("none", "none"),
    PROMPT_LOOKUP("prompt-lookup", "prompt-lookup"),
    TOKEN_RECYCLING("token-recycling, stand-in", "token-recycling:observed=true"),
    SAM("sam-decoding", "sam-decoding"),
    SAM_BEST("sam-decoding, best", "sam-decoding:bias=0:tree=true"),
    SUFFIX("suffix-decoding", "suffix-decoding"),
    SUFFIX_BEST("suffix-decoding, best", "suffix-decoding:factor=1000:probability=0.02:tree=true"),
    SUFFIX_TUNED(
            "suffix-decoding, tuned here", "suffix-decoding:factor=1000:probability=0.02:tree=true:first-found=true");

    private final String label;
    private final String text;

    ComparedStrategies(String label, String text) {
        this.label = label;
        this.text = text;
    }

    /** As options say them. */
    static List<String> texts() {
        return List.of(values()).stream().map(one -> one.text).toList();
    }

    /** A short name, or the choice as it was written. */
    static String label(StrategyChoice choice) {
        return List.of(values()).stream()
                .filter(one -> one.text.equals(choice.text()))
                .map(one -> one.label)
                .findFirst()
                .orElse(choice.text());
    }

    /** What the short names mean. */
    static String legend() {
        StringBuilder legend = new StringBuilder();
        for (ComparedStrategies one : values()) {
            if (!one.label.equals(one.text)) {
                legend.append(legend.isEmpty() ? "" : "; ")
                        .append(one.label)
                        .append(" = `")
                        .append(one.text)
                        .append('`');
            }
        }
        return legend.toString();
    }
}
