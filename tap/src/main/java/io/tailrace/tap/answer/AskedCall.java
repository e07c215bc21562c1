package io.tailrace.tap.answer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a client asked, as far as it matters for what was answered. */
public final class AskedCall {
    /** With one of these the server makes another prompt of the messages than the model's template alone does. */
    private static final List<String> OTHER_PROMPT = List.of(
            "tools",
            "functions",
            "documents",
            "chat_template",
            "chat_template_kwargs",
            "reasoning_effort",
            "truncate_prompt_tokens",
            "continue_final_message",
            "suffix",
            "prompt_embeds",
            "mm_processor_kwargs");

    private final JsonNode root;

    private AskedCall(JsonNode root) {
        this.root = root;
    }

    /** One turn of a chat. */
    public record Turn(String role, String text) {}

    /**
     * Reads a request's body.
     *
     * @throws UnreadableException if it is no JSON object
     */
    public static AskedCall read(byte[] body) throws UnreadableException {
        return new AskedCall(Json.object(body));
    }

    /** Whether the client asks that the answer be kept nowhere, or shared with nobody: {@code store} is false, or there is a {@code cache_salt}. */
    public boolean isPrivate() {
        return isNo("store") || root.hasNonNull("cache_salt");
    }

    /** Null if the server decides. */
    public Float temperature() {
        return root.path("temperature").isNumber()
                ? (Float) root.get("temperature").floatValue()
                : null;
    }

    /** Whether texts may end the answer, which are then left out of it. */
    public boolean hasStops() {
        return Json.hasContent(root, "stop") || Json.hasContent(root, "stop_token_ids");
    }

    public boolean hasTools() {
        return Json.hasContent(root, "tools") || Json.hasContent(root, "functions");
    }

    /** Whether prompt and answer are plain text with nothing between that a tokenizer alone would not know. */
    public boolean isPlain() {
        boolean other = OTHER_PROMPT.stream().anyMatch(field -> says(root.path(field)));
        boolean unusual = says(root.path("echo"))
                || isNo("add_generation_prompt")
                || isNo("skip_special_tokens")
                || isNo("include_reasoning");
        return !other && !unusual;
    }

    /** Whether the prompt of a completion, or that of a chat, is to get special tokens around it. */
    public boolean addsSpecialTokens(boolean otherwise) {
        return root.path("add_special_tokens").asBoolean(otherwise);
    }

    /** A completion's prompt, if it is one text. */
    public Optional<String> prompt() {
        JsonNode prompt = root.path("prompt");
        JsonNode one = prompt.isArray() && prompt.size() == 1 ? prompt.get(0) : prompt;
        return one.isTextual() ? Optional.of(one.textValue()) : Optional.empty();
    }

    /** A chat's messages, if they are texts and nothing else. */
    public Optional<List<Turn>> turns() {
        List<Turn> turns = new ArrayList<>();
        for (JsonNode message : root.path("messages")) {
            Optional<String> text = text(message.path("content"));
            boolean more = Json.hasContent(message, "tool_calls")
                    || Json.hasContent(message, "tool_call_id")
                    || Json.hasContent(message, "reasoning")
                    || Json.hasContent(message, "reasoning_content");
            if (more || text.isEmpty() || !message.path("role").isTextual()) {
                return Optional.empty();
            }
            turns.add(new Turn(message.get("role").textValue(), text.get()));
        }
        return turns.isEmpty() ? Optional.empty() : Optional.of(turns);
    }

    /** A text, or a list with one part that is a text: how several are joined differs among servers. */
    private static Optional<String> text(JsonNode content) {
        if (content.isTextual()) {
            return Optional.of(content.textValue());
        }
        JsonNode part = content.isArray() && content.size() == 1 ? content.get(0) : content;
        return part.path("type").asText().equals("text") && part.path("text").isTextual()
                ? Optional.of(part.get("text").textValue())
                : Optional.empty();
    }

    private boolean isNo(String field) {
        return root.path(field).isBoolean() && !root.get(field).booleanValue();
    }

    private static boolean says(JsonNode value) {
        boolean empty = value.isMissingNode() || value.isNull() || (value.isContainerNode() && value.isEmpty());
        return !empty && !(value.isBoolean() && !value.booleanValue());
    }
}
