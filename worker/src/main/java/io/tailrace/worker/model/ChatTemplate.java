package io.tailrace.worker.model;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;

/** Spells a conversation out as the prompt that the model was trained on. Safe for any number of threads. */
public interface ChatTemplate {
    /**
     * The prompt, special tokens included: encode it with {@code specialTokens = false}.
     *
     * @param messages at least one
     * @param answerNext whether the prompt ends where the assistant begins to speak
     * @param now for templates that write the date
     * @throws IllegalArgumentException if the template refuses the conversation, with its own words
     */
    String render(List<Message> messages, boolean answerNext, LocalDateTime now);

    /** The same at this moment, by this host's clock and time zone. */
    default String render(List<Message> messages, boolean answerNext) {
        return render(messages, answerNext, LocalDateTime.now(ZoneId.systemDefault()));
    }

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
