package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.worker.model.ChatTemplate;
import java.util.ArrayList;
import java.util.List;

/** Reads a chat's messages: roles and texts, nothing else. */
final class ChatMessages {
    private ChatMessages() {}

    static List<ChatTemplate.Message> read(List<CallBody.Message> messages) {
        if (messages == null || messages.isEmpty()) {
            throw ApiException.invalid("messages", "messages must be a list of at least one message");
        }
        List<ChatTemplate.Message> read = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            read.add(message("messages[%d]".formatted(i), messages.get(i)));
        }
        return read;
    }

    private static ChatTemplate.Message message(String path, CallBody.Message message) {
        if (message == null || message.role() == null) {
            throw ApiException.invalid(path + ".role", path + " must be an object with a role");
        }
        boolean empty = message.content() == null || message.content().isNull();
        if (empty && !message.role().equals("assistant")) {
            throw ApiException.invalid(path + ".content", path + " must have a content");
        }
        return new ChatTemplate.Message(message.role(), empty ? "" : text(path + ".content", message.content()));
    }

    /** A text, or a list of text parts. */
    private static String text(String path, JsonNode content) {
        if (content.isTextual()) {
            return content.textValue();
        }
        if (!content.isArray()) {
            throw ApiException.invalid(
                    path, "%s must be a text or a list of text parts, got %s".formatted(path, CallJson.shown(content)));
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < content.size(); i++) {
            text.append(part("%s[%d]".formatted(path, i), content.get(i)));
        }
        return text.toString();
    }

    private static String part(String path, JsonNode part) {
        String type = part.path("type").asText("text");
        if (!type.equals("text")) {
            throw ApiException.unsupported(path, "%s must be of type text, got type %s".formatted(path, type));
        }
        CallBody.TextPart bound = CallJson.bind(path, part, CallBody.TextPart.class);
        if (bound == null || bound.text() == null) {
            throw ApiException.invalid(path + ".text", path + " must be an object with a text");
        }
        return bound.text();
    }
}
