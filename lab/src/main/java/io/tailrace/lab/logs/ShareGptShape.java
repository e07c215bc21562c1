package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tailrace.lab.logs.LoggedRequest.Names;
import io.tailrace.lab.recorded.BrokenLineException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Conversations as ShareGPT wrote them: {@code from} and {@code value}. Each answer is a request. */
final class ShareGptShape implements LogShape {
    private static final Map<String, String> ROLES = Map.ofEntries(
            Map.entry("human", "user"),
            Map.entry("user", "user"),
            Map.entry("gpt", "assistant"),
            Map.entry("chatgpt", "assistant"),
            Map.entry("bing", "assistant"),
            Map.entry("bard", "assistant"),
            Map.entry("model", "assistant"),
            Map.entry("assistant", "assistant"),
            Map.entry("function_call", "assistant"),
            Map.entry("system", "system"),
            Map.entry("tool", "tool"),
            Map.entry("observation", "tool"));

    @Override
    public boolean fits(JsonNode row) {
        return LogFields.first(row, "conversations", "conversation").isArray();
    }

    @Override
    public List<LoggedRequest> read(JsonNode row, LogTally tally) throws BrokenLineException {
        JsonNode conversation = LogFields.first(row, "conversations", "conversation");
        if (conversation.isMissingNode()) {
            tally.pass("no conversations");
            return List.of();
        }
        ArrayNode messages = JsonLines.JSON.createArrayNode();
        String system = LogFields.text(row, "system");
        if (system != null) {
            messages.addObject().put("role", "system").put("content", system);
        }
        for (JsonNode turn : conversation) {
            messages.addObject()
                    .put("role", role(LogFields.text(turn, "from", "role")))
                    .put("content", String.valueOf(LogFields.text(turn, "value", "content")));
        }
        JsonNode tools = LogFields.first(row, "tools");
        List<LoggedRequest> turns = messages.isEmpty()
                ? List.of()
                : Exchanges.turns(
                        row,
                        Names.USUAL,
                        Exchanges.asked(
                                messages, tools.isArray() ? tools : MissingNode.getInstance(), "conversations"));
        if (turns.isEmpty()) {
            tally.pass("nothing answered");
        }
        return turns;
    }

    private static String role(String from) throws BrokenLineException {
        String role = from == null ? null : ROLES.get(from.toLowerCase(Locale.ROOT));
        if (role == null) {
            throw new BrokenLineException(
                    "from is human, gpt, system or tool",
                    from == null ? "none" : LogFields.shown(from),
                    "rename it, or remove the line");
        }
        return role;
    }
}
