package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.lab.recorded.BrokenLineException;
import java.util.List;

/** Answers that look like those that are read and are not: taken for text they would give figures of something else. */
final class UnreadAnswers {
    private static final List<String> WITHIN = List.of("response", "response_body", "body", "output");

    private UnreadAnswers() {}

    /**
     * Looks at a record, or an answer in it.
     *
     * @throws BrokenLineException if it is an answer of the Responses API, or a chunk of a streamed one
     */
    static void refuse(JsonNode answer) throws BrokenLineException {
        refuseItself(answer);
        for (String field : WITHIN) {
            JsonNode inner = LogFields.first(answer, field);
            refuseItself(inner);
            refuseItself(inner.path("body"));
        }
    }

    private static void refuseItself(JsonNode answer) throws BrokenLineException {
        String kind = answer.path("object").asText("");
        if (kind.equals("response")) {
            throw new BrokenLineException(
                    "an answer is one of a chat or a completion",
                    "an answer of the Responses API",
                    "log calls of /v1/chat/completions, or write prompt and answer as texts into columns of their own");
        }
        if (kind.endsWith(".chunk") || isPiece(answer)) {
            throw new BrokenLineException(
                    "an answer is logged whole",
                    kind.isEmpty()
                            ? "a chunk of a stream"
                            : "a chunk of a stream (%s)".formatted(LogFields.shown(kind)),
                    "join the chunks of an answer before logging it, or log calls without stream");
        }
    }

    /** Of a streamed answer only the last chunk says why it ended; a whole one always does. */
    private static boolean isPiece(JsonNode answer) {
        boolean completion = answer.path("object").asText("").equals("text_completion");
        for (JsonNode choice : answer.path("choices")) {
            boolean open = completion
                    && choice.has("finish_reason")
                    && choice.path("finish_reason").isNull();
            if (open
                    || (choice.path("delta").isObject()
                            && !choice.path("message").isObject())) {
                return true;
            }
        }
        return false;
    }
}
