package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.lab.recorded.BrokenLineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Messages of a chat as servers hand them to a chat template: parts of a content joined, arguments of a tool's call as an object. */
final class ChatTurns {
    private ChatTurns() {}

    /** Whether it is a list of messages, or nothing else can be meant. */
    static boolean isChat(JsonNode node) {
        return node.isArray()
                && !node.isEmpty()
                && node.get(0).isObject()
                && node.get(0).has("role");
    }

    static List<Map<String, Object>> read(JsonNode messages, String field) throws BrokenLineException {
        List<Map<String, Object>> turns = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            turns.add(turn(messages.get(i), field + "[" + i + "]"));
        }
        return turns;
    }

    static Map<String, Object> turn(JsonNode message, String field) throws BrokenLineException {
        if (!message.isObject() || !message.path("role").isTextual()) {
            throw new BrokenLineException(
                    field + " is an object with a role", JsonLines.kind(message), "repair or remove the line");
        }
        ObjectNode turn = message.deepCopy();
        turn.put("content", content(message.path("content"), field + ".content"));
        if (message.path("tool_calls").isEmpty()) {
            turn.remove("tool_calls"); // null and [] are written where there is none
        }
        for (JsonNode call : turn.path("tool_calls")) {
            if (call.path("function") instanceof ObjectNode function) {
                function.set("arguments", LogFields.read(function.path("arguments")));
            }
        }
        return LogFields.map(turn);
    }

    /** A text, or the texts of several parts, a line each. */
    private static String content(JsonNode content, String field) throws BrokenLineException {
        if (content.isNull() || content.isMissingNode()) {
            return "";
        }
        if (!content.isArray()) {
            return content.isTextual() ? content.textValue() : content.toString();
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode part : content) {
            if (part.isObject() && !part.path("text").isTextual()) {
                throw new BrokenLineException(
                        field + " holds parts of type text",
                        "type " + LogFields.shown(part.path("type").asText("none")),
                        "remove requests with images or sound, or give --skip-bad-lines");
            }
            texts.add(part.isObject() ? part.path("text").asText() : part.asText());
        }
        return String.join("\n", texts);
    }
}
