package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.lab.logs.LoggedRequest.Names;
import io.tailrace.lab.recorded.BrokenLineException;
import java.util.List;

/** LiteLLM's payload of a call, as its callbacks and spend logs write it. */
final class LiteLlmShape implements LogShape {
    private static final Names NAMES = new Names(
            List.of("id", "request_id"),
            List.of("scope"),
            List.of("workload"),
            List.of("session_id", "trace_id"),
            List.of("startTime", "start_time"));

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
        boolean empty = messages.isMissingNode() || (messages.isContainerNode() && messages.isEmpty());
        JsonNode tools = LogFields.first(LogFields.first(call, "model_parameters"), "tools");
        return Exchanges.answers(
                call,
                NAMES,
                Exchanges.asked(empty && sent.isObject() ? sent : messages, tools, "messages"),
                Exchanges.said(LogFields.first(call, "response"), "response"));
    }

    @Override
    public boolean isUnordered() {
        return true;
    }
}
