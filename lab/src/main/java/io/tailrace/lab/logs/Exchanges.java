package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.lab.logs.LoggedRequest.Asked;
import io.tailrace.lab.logs.LoggedRequest.Names;
import io.tailrace.lab.logs.LoggedRequest.Said;
import io.tailrace.lab.recorded.BrokenLineException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What was asked and what was said, in any of the ways that OpenAI's API and logs of it write them. */
final class Exchanges {
    private static final int NAMES_MAX = 20;

    private Exchanges() {}

    /** A request's body, its messages, a prompt, or token ids. */
    static Asked asked(JsonNode value, JsonNode tools, String field) throws BrokenLineException {
        JsonNode read = LogFields.read(value);
        if (read.isObject()) {
            JsonNode inner = LogFields.first(read, "prompt_token_ids", "messages", "prompt", "input");
            JsonNode own = LogFields.first(read, "tools");
            return inner.isMissingNode() ? missing(field, read) : asked(inner, own.isArray() ? own : tools, field);
        }
        if (ChatTurns.isChat(read)) {
            return Asked.chat(ChatTurns.read(read, field), LogFields.list(tools));
        }
        if (LogFields.isIds(read)) {
            return Asked.ids(LogFields.ids(read, field));
        }
        if (read.isArray() && read.size() == 1) {
            return asked(read.get(0), tools, field);
        }
        return value.isTextual() ? Asked.text(value.textValue()) : missing(field, read);
    }

    private static Asked missing(String field, JsonNode got) throws BrokenLineException {
        throw new BrokenLineException(
                field + " holds messages, a prompt or token ids",
                got.isObject() ? "fields " + names(got) : JsonLines.kind(got),
                "name the column with --columns prompt=NAME, or give --skip-bad-lines");
    }

    /** An answer's body with its choices, a message, a text, or token ids. Several only of several choices. */
    static List<Said> said(JsonNode value, String field) throws BrokenLineException {
        JsonNode read = LogFields.read(value);
        if (read.isObject()) {
            return ofObject(read, value, field);
        }
        if (ChatTurns.isChat(read)) {
            return List.of(message(read.get(read.size() - 1), null, field));
        }
        if (LogFields.isIds(read)) {
            return List.of(Said.of(LogFields.ids(read, field)));
        }
        if (!value.isTextual()) {
            throw new BrokenLineException(
                    field + " holds choices, a message, a text or token ids",
                    JsonLines.kind(value),
                    "name the column with --columns response=NAME, or give --skip-bad-lines");
        }
        return List.of(Said.of(value.textValue(), null));
    }

    private static List<Said> ofObject(JsonNode read, JsonNode value, String field) throws BrokenLineException {
        UnreadAnswers.refuse(read);
        if (read.path("choices").isArray()) {
            List<Said> all = new ArrayList<>();
            for (JsonNode choice : read.path("choices")) {
                all.add(choice(choice, field));
            }
            return all.isEmpty() ? List.of(Said.of(new int[0])) : all; // counted as not answered
        }
        if (read.path("body").isObject()) {
            return said(read.path("body"), field);
        }
        if (isMessage(read)) {
            return List.of(message(read, null, field));
        }
        if (read.path("content").isTextual() && !value.isTextual()) {
            return List.of(Said.of(read.path("content").textValue(), null));
        }
        return List.of(
                Said.of(value.isTextual() ? value.textValue() : value.toString(), null)); // JSON that was answered
    }

    /** Whether it has what an answer has; any other object may be JSON that was answered. */
    static boolean isAnswer(JsonNode object) {
        return object.path("choices").isArray()
                || isMessage(object)
                || object.path("content").isTextual();
    }

    private static boolean isMessage(JsonNode object) {
        return object.has("role") || object.has("tool_calls");
    }

    private static Said choice(JsonNode choice, String field) throws BrokenLineException {
        String finish = LogFields.text(choice, "finish_reason");
        JsonNode ids = choice.path("token_ids");
        if (LogFields.isIds(ids)) {
            return Said.of(LogFields.ids(ids, field));
        }
        return choice.path("text").isTextual()
                ? Said.of(choice.path("text").textValue(), finish)
                : message(choice.path("message"), finish, field);
    }

    private static Said message(JsonNode message, String finish, String field) throws BrokenLineException {
        if (!message.isObject()) {
            throw new BrokenLineException(
                    field + " holds a message", JsonLines.kind(message), "repair or remove the line");
        }
        ObjectNode copy = message.deepCopy();
        copy.put("role", "assistant");
        return Said.of(ChatTurns.turn(copy, field), finish);
    }

    /** A request for each turn that the assistant answered, in their order. */
    static List<LoggedRequest> turns(JsonNode row, Names names, Asked chat) {
        List<Map<String, Object>> messages = chat.messages();
        List<LoggedRequest> requests = new ArrayList<>();
        for (int i = 1; i < messages.size(); i++) {
            if (messages.get(i).get("role").equals("assistant")) {
                requests.add(names.request(
                        row,
                        "/" + (requests.size() + 1),
                        Asked.chat(messages.subList(0, i), chat.tools()),
                        Said.of(messages.get(i), null)));
            }
        }
        return requests;
    }

    /** One request with each of its answers. */
    static List<LoggedRequest> answers(JsonNode row, Names names, Asked asked, List<Said> said) {
        List<LoggedRequest> requests = new ArrayList<>();
        for (Said each : said) {
            requests.add(names.request(row, said.size() == 1 ? "" : "/" + (requests.size() + 1), asked, each));
        }
        return requests;
    }

    static String names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names(names);
    }

    /** The first of them, for messages. */
    static String names(Collection<String> all) {
        List<String> names = all.stream().limit(NAMES_MAX).map(LogFields::shown).toList();
        return all.size() > NAMES_MAX ? names + " and more" : names.toString();
    }
}
