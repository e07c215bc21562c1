package io.tailrace.tap.answer;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * An answer as a server gave it.
 *
 * @param id its id; empty if it has none
 * @param model who answered; empty if it does not say
 * @param choices by index
 * @param promptTokens how many tokens the server counts in the prompt; -1: it does not say
 * @param completionTokens and in all choices; -1: it does not say
 * @param failed whether the server says that it failed
 * @param ended whether the server says that this is all: the end of JSON, or {@code [DONE]} of a stream
 */
public record ReadAnswer(
        String id,
        String model,
        List<Choice> choices,
        long promptTokens,
        long completionTokens,
        boolean failed,
        boolean ended) {
    private static final int CHOICES_MAX = 1_024;
    private static final String DONE = "[DONE]";

    /**
     * One of its choices.
     *
     * @param index its number
     * @param text what it says
     * @param textOnly false: it says more than the text, such as tool calls or reasoning
     * @param ids its token ids; null if the server gave none
     * @param idsWhole false: the server gave the ids of a part of it only
     * @param promptIds the prompt's; null if the server gave none
     * @param finishReason why it ended; null: it has no end
     * @param stopReason the text or the token that ended it, if the server says so; null otherwise
     */
    public record Choice(
            int index,
            String text,
            boolean textOnly,
            int[] ids,
            boolean idsWhole,
            int[] promptIds,
            String finishReason,
            String stopReason) {}

    /**
     * Reads an answer, or as much of a stream as there is.
     *
     * @param contentType {@code text/event-stream}, or else JSON is expected
     * @throws UnreadableException if it is not what OpenAI's API has
     */
    public static ReadAnswer read(String contentType, byte[] body) throws UnreadableException {
        String type = contentType == null ? "" : contentType.strip().toLowerCase(Locale.ROOT);
        Gathering all = new Gathering();
        if (!type.startsWith("text/event-stream")) {
            all.add(Json.object(body));
            return all.answer(true);
        }
        EventStream events = new EventStream(body);
        for (byte[] data = events.next(); data != null; data = events.next()) {
            String said = new String(data, StandardCharsets.UTF_8).strip();
            if (said.equals(DONE)) {
                return all.answer(true);
            }
            if (!said.isEmpty()) {
                all.add(Json.object(data));
            }
        }
        return all.answer(false);
    }

    private static final class Gathering {
        private final Map<Integer, ChoiceParts> byIndex = new TreeMap<>();
        private String id = "";
        private String model = "";
        private long promptTokens = -1;
        private long completionTokens = -1;
        private boolean failed;

        void add(JsonNode piece) throws UnreadableException {
            failed |= piece.hasNonNull("error");
            id = piece.path("id").asText(id);
            model = piece.path("model").asText(model);
            JsonNode usage = piece.path("usage");
            promptTokens = usage.path("prompt_tokens").asLong(promptTokens);
            completionTokens = usage.path("completion_tokens").asLong(completionTokens);
            int[] promptIds = Json.ids(piece, "prompt_token_ids");
            for (JsonNode choice : piece.path("choices")) {
                int index = choice.path("index").asInt(0);
                if (!byIndex.containsKey(index) && byIndex.size() == CHOICES_MAX) {
                    throw new UnreadableException("an answer has more than %d choices".formatted(CHOICES_MAX));
                }
                byIndex.computeIfAbsent(index, ChoiceParts::new).add(choice, promptIds);
            }
        }

        ReadAnswer answer(boolean ended) {
            List<Choice> choices =
                    byIndex.values().stream().map(ChoiceParts::choice).toList();
            return new ReadAnswer(id, model, choices, promptTokens, completionTokens, failed, ended);
        }
    }
}
