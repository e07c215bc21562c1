package io.tailrace.worker.model;

import java.util.List;
import java.util.Objects;

/** Spells a conversation out as the prompt that the model was trained on. Safe for any number of threads. */
public interface ChatTemplate {
    /**
     * The prompt, special tokens included: encode it with {@code specialTokens = false}.
     *
     * @param messages at least one
     * @param answerNext whether the prompt ends where the assistant begins to speak
     * @throws IllegalArgumentException if the template refuses the conversation, with its own words
     */
    String render(List<Message> messages, boolean answerNext);

    /**
     * One turn of a conversation.
     *
     * @param role {@code system}, {@code user}, {@code assistant}, or what else the model's template knows
     * @param content its text
     */
    record Message(String role, String content) {
        public Message {
            Objects.requireNonNull(role, "role");
            Objects.requireNonNull(content, "content");
        }
    }
}
