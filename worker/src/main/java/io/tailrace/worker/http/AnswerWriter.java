package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.TokenLogprob;
import io.tailrace.worker.model.TextTokenizer;
import java.util.ArrayList;
import java.util.List;

/** Writes answers and pieces of them as OpenAI's clients read them. Choices have the index of their request in the call. */
final class AnswerWriter {
    private final CallReader.Call call;
    private final String model;
    private final List<LogprobsJson> logprobs = new ArrayList<>();
    private final long createdSeconds = System.currentTimeMillis() / 1_000;

    AnswerWriter(CallReader.Call call, String model, TextTokenizer tokenizer) {
        this.call = call;
        this.model = model;
        call.choices().forEach(choice -> logprobs.add(new LogprobsJson(tokenizer, call.chat())));
    }

    /**
     * The whole answer.
     *
     * @param parts all that each choice has, by index
     * @param answers their ends, by index
     */
    ObjectNode whole(List<AnswerPart> parts, List<Answer> answers) {
        ObjectNode body = head(false);
        body.putArray("choices");
        for (int index = 0; index < parts.size(); index++) {
            ObjectNode choice = choice(body, index, parts.get(index).logprobs());
            if (call.chat()) {
                choice.putObject("message")
                        .put("role", "assistant")
                        .put("content", parts.get(index).text())
                        .putNull("refusal");
            } else {
                choice.put("text", parts.get(index).text());
            }
            choice.put("finish_reason", reason(answers.get(index)));
        }
        usage(body, answers);
        report(body, answers.get(0));
        return body;
    }

    /** The first event of a chat's choice: who speaks. */
    ObjectNode role(int index) {
        ObjectNode body = event();
        ObjectNode choice = choice(body, index, List.of());
        choice.putObject("delta").put("role", "assistant").put("content", "");
        choice.putNull("finish_reason");
        return body;
    }

    /** A piece of a choice. */
    ObjectNode piece(int index, AnswerPart part) {
        ObjectNode body = event();
        ObjectNode choice = choice(body, index, part.logprobs());
        put(choice, part.text());
        choice.putNull("finish_reason");
        return body;
    }

    /** The end of a choice, with what is left of it. */
    ObjectNode end(int index, AnswerPart rest, Answer answer) {
        ObjectNode body = event();
        ObjectNode choice = choice(body, index, rest.logprobs());
        put(choice, rest.text());
        choice.put("finish_reason", reason(answer));
        report(body, answer);
        return body;
    }

    /** The event behind the ends that only counts. */
    ObjectNode usage(List<Answer> answers) {
        ObjectNode body = event();
        usage(body, answers);
        return body;
    }

    private ObjectNode event() {
        ObjectNode body = head(true);
        body.putArray("choices");
        return body;
    }

    private ObjectNode head(boolean piece) {
        String kind = call.chat() ? (piece ? "chat.completion.chunk" : "chat.completion") : "text_completion";
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", call.id())
                .put("object", kind)
                .put("created", createdSeconds)
                .put("model", model);
    }

    private ObjectNode choice(ObjectNode body, int index, List<TokenLogprob> tokens) {
        ObjectNode choice =
                body.withArray("choices").addObject().put("index", index).putNull("logprobs");
        if (!tokens.isEmpty()) {
            logprobs.get(index).put(choice, tokens);
        }
        return choice;
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

    private void usage(ObjectNode body, List<Answer> answers) {
        int output = answers.stream()
                .mapToInt(answer -> answer.decoded().output().length)
                .sum();
        body.putObject("usage")
                .put("prompt_tokens", call.promptTokens())
                .put("completion_tokens", output)
                .put("total_tokens", call.promptTokens() + output);
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
