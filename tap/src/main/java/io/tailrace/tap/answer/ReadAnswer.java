package io.tailrace.tap.answer;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
 * @param completionTokens how many tokens the server counts in all choices; -1: it does not say
 * @param failed whether the server says that it failed
 */
public record ReadAnswer(String id, String model, List<AnswerChoice> choices, long completionTokens, boolean failed) {
    private static final int CHOICES_MAX = 1_024;
    private static final byte[] DONE = "[DONE]".getBytes(StandardCharsets.UTF_8);

    /**
     * Reads an answer.
     *
     * @param contentType {@code text/event-stream}, or else JSON is expected
     * @throws UnreadableException if it is not what OpenAI's API has
     */
    public static ReadAnswer read(String contentType, byte[] body) throws UnreadableException {
        String type = contentType == null ? "" : contentType.strip().toLowerCase(Locale.ROOT);
        Gathering all = new Gathering();
        if (!type.startsWith("text/event-stream")) {
            all.add(Json.object(body, 0, body.length));
            return all.answer();
        }
        EventStream events = new EventStream(body);
        for (byte[] data = events.next(); data != null; data = events.next()) {
            if (Arrays.equals(data, DONE)) {
                break;
            }
            all.add(Json.object(data, 0, data.length));
        }
        return all.answer();
    }

    private static final class Gathering {
        private final Map<Integer, ChoiceParts> byIndex = new TreeMap<>();
        private String id = "";
        private String model = "";
        private long completionTokens = -1;
        private boolean failed;

        void add(JsonNode piece) throws UnreadableException {
            failed |= Json.has(piece, "error");
            id = piece.path("id").asText(id);
            model = piece.path("model").asText(model);
            completionTokens = piece.path("usage").path("completion_tokens").asLong(completionTokens);
            int[] promptIds = Json.ids(piece, "prompt_token_ids");
            for (JsonNode choice : piece.path("choices")) {
                int index = choice.path("index").asInt(0);
                if (!byIndex.containsKey(index) && byIndex.size() == CHOICES_MAX) {
                    throw new UnreadableException("an answer has more than %d choices".formatted(CHOICES_MAX));
                }
                byIndex.computeIfAbsent(index, ChoiceParts::new).add(choice, promptIds);
            }
        }

        ReadAnswer answer() {
            List<AnswerChoice> choices =
                    byIndex.values().stream().map(ChoiceParts::choice).toList();
            return new ReadAnswer(id, model, choices, completionTokens, failed);
        }
    }
}
