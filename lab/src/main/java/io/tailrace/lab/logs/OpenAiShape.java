package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tailrace.lab.logs.LoggedRequest.Asked;
import io.tailrace.lab.logs.LoggedRequest.Names;
import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.lab.recorded.RecordedRequest.Position;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls of OpenAI's API: request and answer in one record, in records one after the other, or in the two files of a batch; or a conversation in
 * {@code messages}, each of whose answers is a request. Requests wait for answers of the same id, those of one file for answers in the next.
 */
final class OpenAiShape implements LogShape {
    private static final List<String> REQUEST = List.of("request", "request_body", "body");
    /** Where rows of messages have their answer in a column of its own. */
    private static final List<String> ANSWERS = List.of("response", "completion", "output", "answer", "generation");

    private static final List<String> JOIN = List.of("custom_id", "request_id", "id");
    private static final int OK = 200;

    private final Map<String, Waiting> waiting = new LinkedHashMap<>();

    private record Waiting(JsonNode call, Position position) {}

    @Override
    public boolean fits(JsonNode row) {
        boolean conversation = row.has("messages") && ANSWERS.stream().noneMatch(row::hasNonNull);
        return conversation || row.has("choices") || row.has("custom_id") || isCall(row);
    }

    private static boolean isCall(JsonNode row) {
        return REQUEST.stream().anyMatch(field -> LogFields.first(row, field).isObject())
                || LogFields.first(row, "response").has("choices");
    }

    @Override
    public List<LoggedRequest> read(JsonNode row, LogTally tally) throws BrokenLineException {
        JsonNode answer = row.has("choices") ? row : LogFields.first(row, "response", "response_body");
        JsonNode request = LogFields.first(row, REQUEST);
        boolean flat = request.isMissingNode() && row.has("messages");
        JsonNode call = flat ? row : request;
        if (failed(row, answer)) {
            waiting.remove(id(row));
            tally.pass("failed");
            return List.of();
        }
        if (answer.isMissingNode()) {
            return flat ? conversation(row, tally) : asked(row, call, tally);
        }
        checkAnswer(row);
        JsonNode there = call.isMissingNode() && row.has("prompt") ? row : call;
        JsonNode asked = there.isMissingNode() ? waited(row) : there;
        JsonNode ids = LogFields.first(body(answer), "prompt_token_ids");
        Asked what = LogFields.isIds(ids)
                ? Asked.ids(LogFields.ids(ids, "prompt_token_ids"))
                : Exchanges.asked(asked, MissingNode.getInstance(), "the request");
        return Exchanges.answers(row, Names.USUAL, what, Exchanges.said(answer, "the response"));
    }

    private static JsonNode body(JsonNode answer) {
        return answer.path("body").isObject() ? answer.path("body") : answer;
    }

    /** By an error, by vLLM's or FastAPI's own form of one, or by a status. */
    private static boolean failed(JsonNode row, JsonNode answer) {
        JsonNode body = body(answer);
        boolean error = isError(row.path("error"))
                || isError(body.path("error"))
                || body.path("object").asText().equals("error");
        boolean detail = body.has("detail") && !Exchanges.isAnswer(body);
        return error || detail || answer.path("status_code").asInt(OK) != OK;
    }

    private static boolean isError(JsonNode error) {
        return error.isObject() || (error.isTextual() && !error.asText().isBlank());
    }

    /** What is no answer of the API would be taken for JSON that was answered, which logs of this format write as text. */
    private static void checkAnswer(JsonNode row) throws BrokenLineException {
        JsonNode written = row.path(row.hasNonNull("response") ? "response" : "response_body");
        if (written.isObject() && !Exchanges.isAnswer(body(written))) {
            throw new BrokenLineException(
                    "the response holds choices or a message",
                    "fields " + Exchanges.names(body(written)),
                    "log the response as the API answers, or give --skip-bad-lines");
        }
    }

    private static List<LoggedRequest> conversation(JsonNode row, LogTally tally) throws BrokenLineException {
        Asked chat = Exchanges.asked(row, MissingNode.getInstance(), "messages");
        List<LoggedRequest> turns = chat.messages() == null ? List.of() : Exchanges.turns(row, Names.USUAL, chat);
        if (turns.isEmpty()) {
            tally.pass("nothing answered");
        }
        return turns;
    }

    /** A request whose answer comes in another record. */
    private List<LoggedRequest> asked(JsonNode row, JsonNode call, LogTally tally) throws BrokenLineException {
        String id = id(row);
        if (id == null || !call.isObject()) {
            throw new BrokenLineException(
                    "a record has a request and a response, or an id that joins them",
                    "fields " + Exchanges.names(row),
                    "write both into one record, or give both the same request_id");
        }
        waiting.put(id, new Waiting(call, tally.position()));
        tally.pass("a request whose answer stands elsewhere");
        return List.of();
    }

    private JsonNode waited(JsonNode row) throws BrokenLineException {
        String id = id(row);
        Waiting request = waiting.remove(id);
        if (request == null) {
            throw new BrokenLineException(
                    "a response stands behind its request",
                    "no request with id " + (id == null ? "none" : LogFields.shown(id)),
                    "name the file of the requests before this one (--input REQUESTS RESPONSES)");
        }
        return request.call;
    }

    private static String id(JsonNode row) {
        return LogFields.text(row, JOIN);
    }

    @Override
    public List<Position> unanswered() {
        return waiting.values().stream().map(Waiting::position).toList();
    }
}
