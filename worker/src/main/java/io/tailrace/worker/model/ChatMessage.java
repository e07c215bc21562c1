package io.tailrace.worker.model;

import java.util.Objects;

/**
 * One turn of a conversation.
 *
 * @param role {@code system}, {@code user}, {@code assistant}, or what else the model's template knows
 * @param content its text
 */
public record ChatMessage(String role, String content) {
    public ChatMessage {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(content, "content");
    }
}
