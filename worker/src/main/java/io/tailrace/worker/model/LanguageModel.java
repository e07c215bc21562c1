package io.tailrace.worker.model;

import java.util.Optional;

/**
 * All that a directory holds of a model; its owner closes it.
 *
 * @param target the forward pass
 * @param tokenizer text to ids and back
 * @param chat the chat template, if the directory has one
 * @param endTokens token ids that end an answer
 */
public record LanguageModel(TargetModel target, TextTokenizer tokenizer, Optional<ChatTemplate> chat, int[] endTokens)
        implements AutoCloseable {
    /** The same with another template. */
    public LanguageModel withChat(ChatTemplate template) {
        return new LanguageModel(target, tokenizer, Optional.of(template), endTokens);
    }

    @Override
    public void close() {
        try (tokenizer) {
            target.close();
        }
    }
}
