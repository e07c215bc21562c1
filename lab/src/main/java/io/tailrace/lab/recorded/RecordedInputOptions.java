package io.tailrace.lab.recorded;

import io.tailrace.terminal.Bounds;
import picocli.CommandLine.Option;

/**
 * How replay input is read.
 *
 * @param vocabularySize token ids are below it; {@link #UNBOUNDED}: any id that is not negative
 * @param scopeDefault scope of requests that name none
 * @param promptTokensMax a longer full prompt keeps its last tokens only
 * @param lineBytesMax a longer line is refused
 * @param chainTokensMax tokens of earlier prompts and responses that are kept for requests that name a parent; those used
 *     longest ago go first
 */
public record RecordedInputOptions(
        int vocabularySize, String scopeDefault, int promptTokensMax, int lineBytesMax, int chainTokensMax) {
    public static final int PROMPT_TOKENS_MAX_DEFAULT = 4_000;
    public static final String SCOPE_DEFAULT = "default";
    /** A vocabulary that is not known: ids need only fit. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    public RecordedInputOptions {
        require(vocabularySize >= 1, "vocabularySize must be at least 1, got %d", vocabularySize);
        require(
                scopeDefault != null && !scopeDefault.isEmpty(),
                "scopeDefault must have at least 1 character, got %d",
                0);
        require(promptTokensMax >= 0, "promptTokensMax must be at least 0, got %d", promptTokensMax);
        require(lineBytesMax >= 1, "lineBytesMax must be at least 1, got %d", lineBytesMax);
        require(
                chainTokensMax >= promptTokensMax,
                "chainTokensMax must be at least promptTokensMax, got %d",
                chainTokensMax);
    }

    /** Defaults: scope {@value #SCOPE_DEFAULT}, 4,000 prompt tokens, lines up to 64 MiB, 16 M chained tokens (64 MB). */
    public static RecordedInputOptions of(int vocabularySize) {
        return new RecordedInputOptions(vocabularySize, SCOPE_DEFAULT, PROMPT_TOKENS_MAX_DEFAULT, 64 << 20, 16_000_000);
    }

    public RecordedInputOptions withScopeDefault(String scope) {
        return new RecordedInputOptions(vocabularySize, scope, promptTokensMax, lineBytesMax, chainTokensMax);
    }

    public RecordedInputOptions withPromptTokensMax(int tokensMax) {
        return new RecordedInputOptions(vocabularySize, scopeDefault, tokensMax, lineBytesMax, chainTokensMax);
    }

    private static void require(boolean condition, String rule, int got) {
        if (!condition) {
            throw new IllegalArgumentException(rule.formatted(got));
        }
    }

    /** A check of token ids, where one is wanted. */
    public static final class Vocabulary {
        @Bounds(min = 1)
        @Option(
                names = "--vocabulary",
                hidden = true,
                paramLabel = "N",
                description =
                        "Refuse inputs with a token id that is not below it: 100277 for cl100k_base, 128256 for Llama 3."
                                + " Default: any id of 0 and more.")
        private Integer size;

        /** What was given, or {@link RecordedInputOptions#UNBOUNDED}. */
        public int bound() {
            return size == null ? RecordedInputOptions.UNBOUNDED : size;
        }
    }
}
