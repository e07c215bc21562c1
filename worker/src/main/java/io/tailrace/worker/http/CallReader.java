package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.RefusedRequestException;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.sampling.SamplingParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes a request of the body of a call. What {@link CallBody} names is obeyed; any other field is refused by name, but those that
 * clients send by habit and that ask for nothing.
 */
final class CallReader {
    private static final int STOPS_MAX = 16;
    private static final int STOP_CHARS_MAX = 1_024;
    private static final int COMPLETION_TOKENS_DEFAULT = 16;
    private static final int TOP_K_ALL = 0;
    /** As some clients say that all tokens may come. */
    private static final int TOP_K_ALL_TOO = -1;

    private final Backend backend;
    private final DraftVisibility visibility;

    /**
     * A reader of calls for this backend.
     *
     * @param visibility whether a call may ask for a report, or for several answers
     */
    CallReader(Backend backend, DraftVisibility visibility) {
        this.backend = backend;
        this.visibility = visibility;
    }

    /** Reads a call of the completions endpoint. */
    Call completion(byte[] json, String scope) {
        CallBody body = body(json);
        refuse("messages", body.messages(), "/v1/chat/completions has it");
        refuse("max_completion_tokens", body.maxCompletionTokens(), "here it is called max_tokens");
        List<int[]> prompts = prompts(body.prompt());
        int tokensMax =
                tokensMax("max_tokens", body.maxTokens()).orElse(Math.min(COMPLETION_TOKENS_DEFAULT, longestAnswer()));
        return call(false, body, scope, prompts, tokensMax);
    }

    /** Reads a call of the chat endpoint. */
    Call chat(byte[] json, String scope) {
        CallBody body = body(json);
        refuse("prompt", body.prompt(), "/v1/completions has it");
        ChatTemplate template = backend.chat()
                .orElseThrow(() -> ApiException.invalid(
                        "messages", "this model has no chat template; use /v1/completions with a prompt"));
        List<int[]> prompts = List.of(encode(render(template, messages(body)), false));
        OptionalInt older = tokensMax("max_tokens", body.maxTokens());
        OptionalInt newer = tokensMax("max_completion_tokens", body.maxCompletionTokens());
        int tokensMax = newer.orElse(older.orElse(DecodeRequest.TOKENS_UNASKED));
        return call(true, body, scope, prompts, tokensMax);
    }

    private CallBody body(byte[] json) {
        CallBody body = CallJson.read(json);
        if (body.model() == null) {
            throw ApiException.invalid(
                    "model", "model must be given; this worker serves '" + backend.modelName() + "'");
        }
        if (!body.model().equals(backend.modelName())) {
            throw ApiException.unknownModel(body.model(), backend.modelName());
        }
        if (body.report() && !visibility.reports()) {
            throw ApiException.unsupported(
                    "tailrace.report",
                    "tailrace.report must be false, got true: this worker tells no caller what drafting did; its operator may allow it");
        }
        return body;
    }

    /** A field of the other endpoint. */
    private static void refuse(String name, Object given, String instead) {
        boolean missing = given == null || (given instanceof JsonNode node && node.isNull());
        if (!missing) {
            throw ApiException.unsupported(name, "%s is not supported by this endpoint: %s".formatted(name, instead));
        }
    }

    /** The length that is asked for, if one is. */
    private OptionalInt tokensMax(String name, Integer asked) {
        if (asked == null) {
            return OptionalInt.empty();
        }
        if (asked < 1) {
            throw ApiException.invalid(name, "%s must be at least 1, got %d".formatted(name, asked));
        }
        if (asked > longestAnswer()) {
            throw ApiException.invalid(
                    name, "%s must be at most %d on this worker, got %d".formatted(name, longestAnswer(), asked));
        }
        return OptionalInt.of(asked);
    }

    private int longestAnswer() {
        return backend.outputTokensMax() == 0 ? Integer.MAX_VALUE : backend.outputTokensMax();
    }

    private Call call(boolean chat, CallBody body, String scope, List<int[]> prompts, int tokensMax) {
        if (prompts.stream().anyMatch(prompt -> prompt.length == 0)) {
            throw ApiException.invalid(chat ? "messages" : "prompt", "the prompt must have at least one token");
        }
        int each = AskedChoices.each(body, prompts.size(), backend.requestsMax(), visibility);
        int topLogprobs = chat ? AskedLogprobs.ofChat(body) : AskedLogprobs.ofCompletion(body);
        String id = (chat ? "chatcmpl-" : "cmpl-") + UUID.randomUUID();
        List<String> stops = stops(body.stop());
        List<DecodeRequest> choices = new ArrayList<>();
        for (int[] prompt : prompts) {
            for (int choice = 0; choice < each; choice++) {
                choices.add(new DecodeRequest(
                        choices.isEmpty() ? id : id + "-" + choices.size(),
                        scope,
                        prompt,
                        tokensMax,
                        sampling(body, choice),
                        stops,
                        body.drafts(),
                        body.remembered(),
                        topLogprobs));
            }
        }
        int promptTokens = prompts.stream().mapToInt(prompt -> prompt.length).sum();
        return new Call(chat, choices, promptTokens, body.streams(), body.includesUsage(), body.report());
    }

    /** Of an answer to a prompt; each has a seed of its own. */
    private static SamplingParameters sampling(CallBody body, int choice) {
        int topK = body.topK() == null || body.topK() == TOP_K_ALL_TOO ? TOP_K_ALL : body.topK();
        try {
            return new SamplingParameters(
                    number(body.temperature()),
                    topK,
                    number(body.topP()),
                    body.seed() == null ? ThreadLocalRandom.current().nextLong() : body.seed() + choice);
        } catch (IllegalArgumentException e) {
            String name = e.getMessage().substring(0, e.getMessage().indexOf(' '));
            throw ApiException.invalid(name, e.getMessage());
        }
    }

    private static float number(Double given) {
        return given == null ? 1 : given.floatValue();
    }

    private static List<String> stops(JsonNode stop) {
        List<String> stops = new ArrayList<>();
        if (stop != null && stop.isArray()) {
            stop.forEach(each -> stops.add(stopText(each)));
        } else if (stop != null && !stop.isNull()) {
            stops.add(stopText(stop));
        }
        if (stops.size() > STOPS_MAX) {
            throw ApiException.invalid("stop", "at most %d stop texts, got %d".formatted(STOPS_MAX, stops.size()));
        }
        return stops;
    }

    private static String stopText(JsonNode stop) {
        if (!stop.isTextual() || stop.textValue().isEmpty() || stop.textValue().length() > STOP_CHARS_MAX) {
            throw ApiException.invalid(
                    "stop",
                    "stop must be a text of 1 to %d characters or a list of such, got %s"
                            .formatted(STOP_CHARS_MAX, CallJson.shown(stop)));
        }
        return stop.textValue();
    }

    /** A text, token ids, or a list of either. */
    private List<int[]> prompts(JsonNode prompt) {
        if (prompt == null || prompt.isNull()) {
            throw ApiException.invalid("prompt", "prompt must be given");
        }
        boolean several =
                prompt.isArray() && !prompt.isEmpty() && !prompt.get(0).isNumber();
        if (!several) {
            return List.of(one(prompt));
        }
        AskedChoices.requireRoom("prompt", prompt.size(), backend.requestsMax());
        List<int[]> prompts = new ArrayList<>();
        prompt.forEach(each -> prompts.add(one(each)));
        return prompts;
    }

    private int[] one(JsonNode prompt) {
        if (prompt.isTextual()) {
            return encode(prompt.textValue(), true);
        }
        if (!prompt.isArray() || (prompt.size() > 0 && !prompt.get(0).isNumber())) {
            throw ApiException.invalid(
                    "prompt",
                    "prompt must be a text, a list of token ids, or a list of either, got " + CallJson.shown(prompt));
        }
        int[] tokens = new int[prompt.size()];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = token(prompt.get(i));
        }
        return tokens;
    }

    private List<ChatTemplate.Message> messages(CallBody body) {
        List<ChatTemplate.Message> messages = ChatMessages.read(body.messages());
        requireRoom(messages.stream()
                .mapToLong(message -> 1L + message.content().length())
                .sum());
        return messages;
    }

    /** Token ids of a text that the context has room for. */
    int[] encode(String text, boolean specialTokens) {
        requireRoom(text.length());
        return backend.tokenizer().encode(text, specialTokens);
    }

    /** Counting the tokens of a text takes time; a text that the context could not hold whatever its tokens is not counted. */
    private void requireRoom(long chars) {
        long charsMax = (long) backend.contextTokensMax() * backend.tokenizer().tokenCharsMax();
        if (chars > charsMax) {
            backend.refused(RefusedRequestException.Reason.TOO_LONG);
            throw new RefusedRequestException(
                    RefusedRequestException.Reason.TOO_LONG,
                    "the prompt has %d characters, the context of %d tokens holds at most %d; send less"
                            .formatted(chars, backend.contextTokensMax(), charsMax));
        }
    }

    private int token(JsonNode id) {
        int vocabularySize = backend.tokenizer().vocabularySize();
        if (!id.canConvertToInt() || !id.isIntegralNumber() || id.intValue() < 0 || id.intValue() >= vocabularySize) {
            throw ApiException.invalid(
                    "prompt",
                    "token ids must be whole numbers from 0 to %d, got %s"
                            .formatted(vocabularySize - 1, CallJson.shown(id)));
        }
        return id.intValue();
    }

    private static String render(ChatTemplate template, List<ChatTemplate.Message> messages) {
        try {
            return template.render(messages, true);
        } catch (IllegalArgumentException e) {
            throw ApiException.invalid("messages", "the chat template refuses: " + e.getMessage());
        }
    }

    /**
     * A client's call, understood.
     *
     * @param chat whether it came to the chat endpoint
     * @param choices what to decode, by index: the answers to the first prompt, then those to the next
     * @param promptTokens of all prompts, each counted once
     * @param stream answer as server-sent events
     * @param streamUsage and with the usage in a last event
     * @param report answer with what speculation did
     */
    record Call(
            boolean chat,
            List<DecodeRequest> choices,
            int promptTokens,
            boolean stream,
            boolean streamUsage,
            boolean report) {
        /** Of the call; the first answer is known by the same. */
        String id() {
            return choices.get(0).id();
        }
    }
}
