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
import java.util.Set;
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
    /** Change the answer, are not there. */
    private static final Set<String> REFUSED = Set.of(
            "tools",
            "functions",
            "logprobs",
            "top_logprobs",
            "suffix",
            "audio",
            "logit_bias",
            "prediction",
            "min_p",
            "guided_json",
            "guided_regex",
            "guided_grammar");
    /** Change the answer unless they have this value. */
    private static final Set<String> ZERO_ONLY = Set.of("frequency_penalty", "presence_penalty");

    private static final Set<String> ONE_ONLY = Set.of("n", "best_of", "repetition_penalty");

    private final Backend backend;

    CallReader(Backend backend) {
        this.backend = backend;
    }

    /** Reads a call of the completions endpoint. */
    Call completion(byte[] body, String scope) {
        Fields fields = fields(body);
        if (fields.flag("echo", false)) {
            throw ApiException.unsupported("echo", "echo is not supported");
        }
        int[] prompt = prompt(fields.node("prompt"));
        return call(false, fields, scope, prompt, fields.integer("max_tokens", COMPLETION_TOKENS_DEFAULT));
    }

    /** Reads a call of the chat endpoint. */
    Call chat(byte[] body, String scope) {
        Fields fields = fields(body);
        ChatTemplate template = backend.chat()
                .orElseThrow(() -> ApiException.invalid(
                        "messages", "this model has no chat template; use /v1/completions with a prompt"));
        int[] prompt = backend.tokenizer().encode(render(template, messages(fields.node("messages"))), false);
        int tokensMax = fields.integer("max_completion_tokens", fields.integer("max_tokens", Integer.MAX_VALUE));
        return call(true, fields, scope, prompt, tokensMax);
    }

    private Call call(boolean chat, Fields fields, String scope, int[] prompt, int tokensMax) {
        if (prompt.length == 0) {
            throw ApiException.invalid(chat ? "messages" : "prompt", "the prompt must have at least one token");
        }
        if (tokensMax < 1) {
            throw ApiException.invalid("max_tokens", "max_tokens must be at least 1, got " + tokensMax);
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
        refuse(fields);
        return fields;
    }

    private static void refuse(Fields fields) {
        for (String name : REFUSED) {
            JsonNode given = fields.node(name);
            boolean harmless = given == null
                    || (given.isContainerNode() && given.isEmpty())
                    || (given.isBoolean() && !given.booleanValue());
            if (!harmless) {
                throw ApiException.unsupported(name, name + " is not supported");
            }
        }
        ZERO_ONLY.forEach(name -> refuseUnless(fields, name, 0));
        ONE_ONLY.forEach(name -> refuseUnless(fields, name, 1));
        String format = fields.object("response_format").text("type", "text");
        if (!format.equals("text")) {
            throw ApiException.unsupported("response_format", "response_format must be text, got " + format);
        }
    }

    private static void refuseUnless(Fields fields, String name, double value) {
        if (fields.number(name, value) != value) {
            throw ApiException.unsupported(name, "%s must be %.0f here".formatted(name, value));
        }
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

    private static List<ChatMessage> messages(JsonNode messages) {
        if (messages == null || !messages.isArray() || messages.isEmpty()) {
            throw ApiException.invalid("messages", "messages must be a list of at least one message");
        }
        List<ChatMessage> read = new ArrayList<>();
        for (JsonNode message : messages) {
            Fields fields = new Fields("messages.", message);
            String role = fields.text("role", null);
            if (role == null) {
                throw ApiException.invalid("messages", "a message must have a role");
            }
            read.add(new ChatMessage(role, content(fields.node("content"))));
        }
        return read;
    }

    /** A text, or a list of text parts. */
    private static String content(JsonNode content) {
        if (content == null) {
            return "";
        }
        if (content.isTextual()) {
            return content.textValue();
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            if (!part.path("text").isTextual()) {
                throw ApiException.unsupported("messages", "only text can be understood in messages");
            }
            text.append(part.path("text").textValue());
        }
        return text.toString();
    }
}
