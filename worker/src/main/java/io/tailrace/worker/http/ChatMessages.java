package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.worker.model.ChatMessage;
import java.util.ArrayList;
import java.util.List;

/** Reads a chat's messages: roles and texts, nothing else. */
final class ChatMessages {
    private static final String PATH = "messages.";
    private static final List<String> UNSUPPORTED = List.of("tool_calls", "tool_call_id", "function_call", "audio");

    private ChatMessages() {}

    static List<ChatMessage> read(JsonNode messages) {
        if (messages == null || !messages.isArray() || messages.isEmpty()) {
            throw ApiException.invalid("messages", "messages must be a list of at least one message");
        }
        List<ChatMessage> read = new ArrayList<>();
        for (JsonNode message : messages) {
            read.add(message(new Fields(PATH, message)));
        }
        return read;
    }

    private static ChatMessage message(Fields fields) {
        String role = fields.text("role", null);
        if (role == null) {
            throw ApiException.invalid("messages", "a message must have a role");
        }
        UNSUPPORTED.forEach(name -> Refusals.none(fields, PATH, name));
        JsonNode content = fields.node("content");
        if (content == null && !role.equals("assistant")) {
            throw ApiException.invalid("messages", "a message must have a content");
        }
        return new ChatMessage(role, content == null ? "" : text(content));
    }

    /** A text, or a list of text parts. */
    private static String text(JsonNode content) {
        if (content.isTextual()) {
            return content.textValue();
        }
        if (!content.isArray()) {
            throw ApiException.invalid("messages", "a message's content must be a text or a list of text parts");
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            boolean isText = part.path("text").isTextual()
                    && part.path("type").asText("text").equals("text");
            if (!isText) {
                throw ApiException.unsupported("messages", "only text can be understood in messages");
            }
            text.append(part.path("text").textValue());
        }
        return text.toString();
    }
}
