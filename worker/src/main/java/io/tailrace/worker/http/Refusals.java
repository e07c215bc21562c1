package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * What a call must not ask for, since it would change the answer and is not there: refused, never ignored. A value that asks for
 * nothing (null, false, an empty list or object) is let through, as clients send it by habit.
 */
final class Refusals {
    private static final List<String> UNSUPPORTED = List.of(
            "tools",
            "functions",
            "logprobs",
            "top_logprobs",
            "prompt_logprobs",
            "suffix",
            "echo",
            "audio",
            "logit_bias",
            "allowed_token_ids",
            "prediction",
            "guided_json",
            "guided_regex",
            "guided_choice",
            "guided_grammar",
            "structured_outputs",
            "stop_token_ids",
            "bad_words",
            "ignore_eos",
            "include_stop_str_in_output",
            "use_beam_search",
            "truncate_prompt_tokens",
            "chat_template",
            "chat_template_kwargs",
            "continue_final_message",
            "documents");

    /** Change the answer unless they have this value. */
    private static final Map<String, Double> NUMBERS = Map.of(
            "frequency_penalty", 0.0,
            "presence_penalty", 0.0,
            "min_p", 0.0,
            "min_tokens", 0.0,
            "n", 1.0,
            "best_of", 1.0,
            "repetition_penalty", 1.0);

    private Refusals() {}

    /** Refuses a call with such a field. */
    static void check(Fields fields) {
        UNSUPPORTED.forEach(name -> none(fields, "", name));
        NUMBERS.forEach((name, value) -> number(fields, name, value));
        only(fields, "tool_choice", "none");
        only(fields, "function_call", "none");
        textOnly(fields.node("modalities"));
        if (!fields.flag("add_generation_prompt", true)) {
            throw ApiException.unsupported("add_generation_prompt", "add_generation_prompt must be true");
        }
        String format = fields.object("response_format").text("type", "text");
        if (!format.equals("text")) {
            throw ApiException.unsupported("response_format", "response_format must be text, got " + format);
        }
    }

    /** Refuses a field that asks for something. */
    static void none(Fields fields, String path, String name) {
        JsonNode given = fields.node(name);
        boolean harmless = given == null
                || (given.isContainerNode() && given.isEmpty())
                || (given.isBoolean() && !given.booleanValue());
        if (!harmless) {
            throw ApiException.unsupported(path + name, path + name + " is not supported");
        }
    }

    private static void number(Fields fields, String name, double value) {
        if (fields.number(name, value) != value) {
            throw ApiException.unsupported(name, "%s must be %.0f here".formatted(name, value));
        }
    }

    private static void only(Fields fields, String name, String value) {
        JsonNode given = fields.node(name);
        if (given != null && !(given.isTextual() && given.textValue().equals(value))) {
            throw ApiException.unsupported(name, "%s must be %s here".formatted(name, value));
        }
    }

    private static void textOnly(JsonNode modalities) {
        if (modalities == null) {
            return;
        }
        boolean text = modalities.isArray();
        for (JsonNode each : modalities) {
            text &= each.isTextual() && each.textValue().equals("text");
        }
        if (!text) {
            throw ApiException.unsupported("modalities", "modalities must be a list of text alone");
        }
    }
}
