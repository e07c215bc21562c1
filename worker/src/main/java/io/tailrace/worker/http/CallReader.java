package io.tailrace.worker.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.model.ChatMessage;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.sampling.SamplingParameters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Reads the body of a call. What is understood is obeyed; what would change the answer and is not understood is refused, never
 * ignored; what cannot change it (user, metadata, ...) is ignored.
 */
final class CallReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int STOPS_MAX = 16;
    private static final int STOP_CHARS_MAX = 1_024;
    private static final int COMPLETION_TOKENS_DEFAULT = 16;

    private final Backend backend;

    CallReader(Backend backend) {
        this.backend = backend;
    }

    /** Reads a call of the completions endpoint. */
    Call completion(byte[] body, String scope) {
        Fields fields = fields(body);
        int[] prompt = prompt(fields.node("prompt"));
        int tokensMax = tokensMax(fields, "max_tokens").orElse(Math.min(COMPLETION_TOKENS_DEFAULT, longestAnswer()));
        return call(false, fields, scope, prompt, tokensMax);
    }

    /** Reads a call of the chat endpoint. */
    Call chat(byte[] body, String scope) {
        Fields fields = fields(body);
        ChatTemplate template = backend.chat()
                .orElseThrow(() -> ApiException.invalid(
                        "messages", "this model has no chat template; use /v1/completions with a prompt"));
        int[] prompt = backend.tokenizer().encode(render(template, ChatMessages.read(fields.node("messages"))), false);
        OptionalInt older = tokensMax(fields, "max_tokens");
        OptionalInt newer = tokensMax(fields, "max_completion_tokens");
        int tokensMax = newer.orElse(older.orElse(DecodeRequest.TOKENS_UNASKED));
        return call(true, fields, scope, prompt, tokensMax);
    }

    /** The length that is asked for, if one is. */
    private OptionalInt tokensMax(Fields fields, String name) {
        if (fields.node(name) == null) {
            return OptionalInt.empty();
        }
        int asked = fields.integer(name, 0);
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

    private Call call(boolean chat, Fields fields, String scope, int[] prompt, int tokensMax) {
        if (prompt.length == 0) {
            throw ApiException.invalid(chat ? "messages" : "prompt", "the prompt must have at least one token");
        }
        Fields own = fields.object("tailrace");
        DecodeRequest request = new DecodeRequest(
                (chat ? "chatcmpl-" : "cmpl-") + UUID.randomUUID(),
                scope,
                prompt,
                tokensMax,
                sampling(fields),
                stops(fields.node("stop")),
                own.flag("drafts", true),
                fields.flag("store", true));
        return new Call(
                chat,
                request,
                fields.flag("stream", false),
                fields.object("stream_options").flag("include_usage", false),
                own.flag("report", false));
    }

    private Fields fields(byte[] body) {
        JsonNode root;
        try {
            root = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw ApiException.invalid(
                    null,
                    "the body is no JSON: line %d, column %d"
                            .formatted(
                                    e.getLocation().getLineNr(), e.getLocation().getColumnNr()));
        } catch (IOException e) {
            throw ApiException.invalid(null, "the body cannot be read");
        }
        if (root == null || !root.isObject()) {
            throw ApiException.invalid(null, "the body must be a JSON object");
        }
        Fields fields = new Fields("", root);
        String model = fields.text("model", null);
        if (model == null) {
            throw ApiException.invalid(
                    "model", "model must be given; this worker serves '" + backend.modelName() + "'");
        }
        if (!model.equals(backend.modelName())) {
            throw ApiException.unknownModel(model, backend.modelName());
        }
        Refusals.check(fields);
        return fields;
    }

    private static SamplingParameters sampling(Fields fields) {
        JsonNode seed = fields.node("seed");
        if (seed != null && !(seed.isIntegralNumber() && seed.canConvertToLong())) {
            throw ApiException.invalid("seed", "seed must be a whole number of 64 bits");
        }
        int topK = fields.integer("top_k", 0);
        try {
            return new SamplingParameters(
                    (float) fields.number("temperature", 1),
                    topK == -1 ? 0 : topK,
                    (float) fields.number("top_p", 1),
                    seed == null ? ThreadLocalRandom.current().nextLong() : seed.longValue());
        } catch (IllegalArgumentException e) {
            String name = e.getMessage().substring(0, e.getMessage().indexOf(' '));
            throw ApiException.invalid(name, e.getMessage());
        }
    }

    private static List<String> stops(JsonNode stop) {
        List<String> stops = new ArrayList<>();
        if (stop != null) {
            (stop.isArray() ? stop : JSON.createArrayNode().add(stop)).forEach(each -> stops.add(stopText(each)));
        }
        if (stops.size() > STOPS_MAX) {
            throw ApiException.invalid("stop", "at most %d stop texts, got %d".formatted(STOPS_MAX, stops.size()));
        }
        return stops;
    }

    private static String stopText(JsonNode stop) {
        if (!stop.isTextual() || stop.textValue().isEmpty() || stop.textValue().length() > STOP_CHARS_MAX) {
            throw ApiException.invalid("stop", "a stop text has 1 to %d characters".formatted(STOP_CHARS_MAX));
        }
        return stop.textValue();
    }

    /** A text, token ids, or a list with one of either. */
    private int[] prompt(JsonNode prompt) {
        if (prompt == null) {
            throw ApiException.invalid("prompt", "prompt must be given");
        }
        if (prompt.isTextual()) {
            return backend.tokenizer().encode(prompt.textValue(), true);
        }
        boolean nested =
                prompt.isArray() && prompt.size() == 1 && !prompt.get(0).isNumber();
        if (nested) {
            return prompt(prompt.get(0));
        }
        if (!prompt.isArray() || (prompt.size() > 0 && !prompt.get(0).isNumber())) {
            throw ApiException.invalid("prompt", "prompt must be one text, or one list of token ids");
        }
        int[] tokens = new int[prompt.size()];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = token(prompt.get(i));
        }
        return tokens;
    }

    private int token(JsonNode id) {
        int vocabularySize = backend.tokenizer().vocabularySize();
        if (!id.canConvertToInt() || !id.isIntegralNumber() || id.intValue() < 0 || id.intValue() >= vocabularySize) {
            throw ApiException.invalid("prompt", "token ids must be whole numbers from 0 to " + (vocabularySize - 1));
        }
        return id.intValue();
    }

    private static String render(ChatTemplate template, List<ChatMessage> messages) {
        try {
            return template.render(messages, true);
        } catch (IllegalArgumentException e) {
            throw ApiException.invalid("messages", "the chat template refuses: " + e.getMessage());
        }
    }
}
