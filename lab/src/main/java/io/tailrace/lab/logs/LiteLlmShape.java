package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.lab.logs.LoggedRequest.Names;
import io.tailrace.lab.recorded.BrokenLineException;
import java.util.List;
import java.util.regex.Pattern;

/** LiteLLM's payload of a call, as its callbacks and spend logs write it. */
final class LiteLlmShape implements LogShape {
    private static final Names NAMES = new Names(
            List.of("id", "request_id"),
            List.of("scope"),
            List.of("workload"),
            List.of("session_id", "trace_id"),
            List.of("startTime", "start_time"));

    /** Stands within a text that was shortened to fit the database (1.110: {@code proxy/spend_tracking/spend_tracking_utils.py}). */
    private static final Pattern SHORTENED =
            Pattern.compile("\\.\\.\\. \\((?:litellm_)?truncated (?:skipped )?\\d+ chars");

    private static final String REDACTED = "redacted-by-litellm";

    @Override
    public boolean fits(JsonNode row) {
        boolean call = row.has("call_type") || row.has("proxy_server_request");
        return row.has("standard_logging_object") || (call && row.has("messages") && row.has("response"));
    }

    @Override
    public List<LoggedRequest> read(JsonNode row, LogTally tally) throws BrokenLineException {
        JsonNode inner = LogFields.first(row, "standard_logging_object");
        JsonNode call = inner.isObject() ? inner : row;
        if (call.path("status").asText("success").equals("failure")) {
            tally.pass("failed");
            return List.of();
        }
        JsonNode messages = LogFields.first(call, "messages");
        JsonNode sent = LogFields.first(call, "proxy_server_request");
        JsonNode asked = isEmpty(messages) && sent.isObject() ? sent : messages;
        JsonNode response = LogFields.first(call, "response");
        if (isEmpty(asked) || isEmpty(response)) {
            throw new BrokenLineException(
                    "a call is logged with its prompt and its answer",
                    "one without",
                    "set store_prompts_in_spend_logs: true in LiteLLM's general_settings, or give --skip-bad-lines");
        }
        checkWhole(asked.toString());
        checkWhole(response.toString());
        JsonNode tools = LogFields.first(LogFields.first(call, "model_parameters"), "tools");
        return Exchanges.answers(
                call, NAMES, Exchanges.asked(asked, tools, "messages"), Exchanges.said(response, "response"));
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isMissingNode() || (value.isContainerNode() && value.isEmpty());
    }

    private static void checkWhole(String text) throws BrokenLineException {
        if (SHORTENED.matcher(text).find()) {
            throw new BrokenLineException(
                    "prompts and answers are logged whole",
                    "one that LiteLLM shortened",
                    "set MAX_STRING_LENGTH_PROMPT_IN_DB where LiteLLM runs, or give --skip-bad-lines");
        }
        if (text.contains('"' + REDACTED)) {
            throw new BrokenLineException(
                    "prompts and answers are logged whole",
                    "one that LiteLLM redacted",
                    "log without turn_off_message_logging, or give --skip-bad-lines");
        }
    }

    @Override
    public boolean isUnordered() {
        return true;
    }
}
