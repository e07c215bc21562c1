package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.worker.engine.Answer;

/** Writes answers and pieces of them as OpenAI's clients read them. */
final class AnswerWriter {
    private final CallReader.Call call;
    private final String model;
    private final long createdSeconds = System.currentTimeMillis() / 1_000;

    AnswerWriter(CallReader.Call call, String model) {
        this.call = call;
        this.model = model;
    }

    /** The whole answer. */
    ObjectNode whole(String text, Answer answer) {
        ObjectNode body = head(false);
        ObjectNode choice = choice(body);
        if (call.chat()) {
            choice.putObject("message")
                    .put("role", "assistant")
                    .put("content", text)
                    .putNull("refusal");
        } else {
            choice.put("text", text);
        }
        choice.put("finish_reason", reason(answer));
        usage(body, answer);
        report(body, answer);
        return body;
    }

    /** The first event of a chat: who speaks. */
    ObjectNode role() {
        ObjectNode body = head(true);
        ObjectNode choice = choice(body);
        choice.putObject("delta").put("role", "assistant").put("content", "");
        choice.putNull("finish_reason");
        return body;
    }

    /** A piece of text. */
    ObjectNode piece(String text) {
        ObjectNode body = head(true);
        ObjectNode choice = choice(body);
        put(choice, text);
        choice.putNull("finish_reason");
        return body;
    }

    /** The end of the text. */
    ObjectNode end(String text, Answer answer) {
        ObjectNode body = head(true);
        ObjectNode choice = choice(body);
        put(choice, text);
        choice.put("finish_reason", reason(answer));
        report(body, answer);
        return body;
    }

    /** The event behind the end that only counts. */
    ObjectNode usage(Answer answer) {
        ObjectNode body = head(true);
        body.putArray("choices");
        usage(body, answer);
        return body;
    }

    private ObjectNode head(boolean piece) {
        String kind = call.chat() ? (piece ? "chat.completion.chunk" : "chat.completion") : "text_completion";
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", call.request().id())
                .put("object", kind)
                .put("created", createdSeconds)
                .put("model", model);
    }

    private static ObjectNode choice(ObjectNode body) {
        return body.putArray("choices").addObject().put("index", 0).putNull("logprobs");
    }

    private void put(ObjectNode choice, String text) {
        if (!call.chat()) {
            choice.put("text", text);
        } else if (text.isEmpty()) {
            choice.putObject("delta");
        } else {
            choice.putObject("delta").put("content", text);
        }
    }

    private static String reason(Answer answer) {
        return answer.reason() == Answer.FinishReason.STOP ? "stop" : "length";
    }

    private void usage(ObjectNode body, Answer answer) {
        int prompt = call.request().prompt().length;
        int output = answer.decoded().output().length;
        body.putObject("usage")
                .put("prompt_tokens", prompt)
                .put("completion_tokens", output)
                .put("total_tokens", prompt + output);
    }

    private void report(ObjectNode body, Answer answer) {
        if (call.report()) {
            body.putObject("tailrace")
                    .put("steps", answer.decoded().tally().steps())
                    .put("drafted", answer.decoded().tally().drafted())
                    .put("accepted", answer.decoded().tally().accepted())
                    .put("snapshotVersion", answer.decoded().snapshotVersionLast())
                    .put("queuedMicros", answer.queuedNanos() / 1_000)
                    .put("firstTokenMicros", answer.firstTokenNanos() / 1_000)
                    .put("totalMicros", answer.totalNanos() / 1_000)
                    .put("draftMicros", answer.decoded().tally().draftNanos() / 1_000);
        }
    }
}
