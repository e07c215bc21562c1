package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.lab.logs.LoggedRequest.Asked;
import io.tailrace.lab.logs.LoggedRequest.Names;
import io.tailrace.lab.logs.LoggedRequest.Said;
import io.tailrace.lab.recorded.BrokenLineException;
import java.util.List;

/** SGLang's record of a request that ended: token ids where the log has them, else texts. */
final class SglangShape implements LogShape {
    static final String FINISHED = "request.finished";

    private static final Names NAMES =
            new Names(List.of("rid"), List.of(), List.of(), List.of("session_id", "conversation_id"), List.of());
    private static final List<String> MEDIA = List.of("image_data", "video_data", "audio_data");
    /** A text that was shortened is two halves of this many characters. */
    private static final int HALF_CHARS = 1_024;

    @Override
    public boolean fits(JsonNode row) {
        return row.path("event").asText().startsWith("request.")
                && row.path("obj").isObject();
    }

    @Override
    public List<LoggedRequest> read(JsonNode row, LogTally tally) throws BrokenLineException {
        JsonNode asked = row.path("obj");
        JsonNode out = row.path("out");
        JsonNode meta = out.path("meta_info");
        String event = row.path("event").asText();
        String finish = LogFields.text(meta.path("finish_reason"), "type");
        String none = null;
        if (!event.equals(FINISHED)) {
            none = "event " + LogFields.shown(event);
        } else if (asked.path("rid").asText().startsWith("HEALTH_CHECK")) {
            none = "a health check";
        } else if (out.has("embedding")) {
            none = "an embedding";
        } else if ("abort".equals(finish)) {
            none = "ended with abort";
        }
        if (none != null) {
            tally.pass(none);
            return List.of();
        }
        return Exchanges.answers(asked, NAMES, asked(asked, out), List.of(said(asked, out, finish)));
    }

    private static Asked asked(JsonNode asked, JsonNode out) throws BrokenLineException {
        for (String media : MEDIA) {
            if (asked.hasNonNull(media)) {
                throw new BrokenLineException(
                        "a request holds text",
                        media,
                        "remove requests with images or sound, or give --skip-bad-lines");
            }
        }
        JsonNode sent = out.path("prompt_token_ids");
        JsonNode ids = LogFields.isIds(sent) ? sent : asked.path("input_ids");
        return LogFields.isIds(ids)
                ? Asked.ids(LogFields.ids(whole(ids), "input_ids"))
                : Asked.text(text(asked, "a request is logged with its prompt"));
    }

    private static Said said(JsonNode asked, JsonNode out, String finish) throws BrokenLineException {
        JsonNode ids = out.path("output_ids");
        if (!ids.isArray()) {
            return Said.of(text(out, "a request is logged with its answer"), finish);
        }
        int all = out.path("meta_info").path("completion_tokens").asInt();
        boolean streamed = asked.path("stream").asText().equalsIgnoreCase("true");
        if (streamed && ids.size() < all) {
            throw new BrokenLineException(
                    "an answer is logged whole",
                    "the last %d of its %d tokens".formatted(ids.size(), all),
                    "start SGLang without --incremental-streaming-output");
        }
        return Said.of(LogFields.ids(whole(ids), "output_ids"));
    }

    private static String text(JsonNode object, String rule) throws BrokenLineException {
        JsonNode text = object.path("text");
        if (!text.isTextual()) {
            throw tooLittle(rule, "neither text nor token ids");
        }
        return whole(text).textValue();
    }

    private static JsonNode whole(JsonNode value) throws BrokenLineException {
        boolean shortened = value.isTextual()
                ? value.textValue().startsWith(SglangRows.SHORTENED, HALF_CHARS)
                        && value.textValue().codePointCount(0, value.textValue().length())
                                == 2 * HALF_CHARS + SglangRows.SHORTENED.length()
                : contains(value, SglangRows.SHORTENED);
        if (shortened) {
            throw tooLittle("prompts and answers are logged whole", "one that was shortened");
        }
        return value;
    }

    private static boolean contains(JsonNode array, String text) {
        for (JsonNode each : array) {
            if (each.isTextual() && each.textValue().equals(text)) {
                return true;
            }
        }
        return false;
    }

    private static BrokenLineException tooLittle(String rule, String got) {
        return new BrokenLineException(
                rule, got, "start SGLang with --log-requests --log-requests-level 3, or give --skip-bad-lines");
    }
}
