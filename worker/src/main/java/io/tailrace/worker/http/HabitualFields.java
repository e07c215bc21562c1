package io.tailrace.worker.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.StringJoiner;

/**
 * Fields that are not served, and that clients send all the same by habit: each is accepted at the values at which it asks for
 * nothing. A table says which: a list of those values, null besides; {@code "*"} where no value can change an answer.
 */
final class HabitualFields {
    private static final HabitualFields OF_CALLS = new HabitualFields("""
            {
              "user": "*", "metadata": "*", "safety_identifier": "*", "prompt_cache_key": "*", "prompt_cache_retention": "*",
              "service_tier": ["auto", "default"], "verbosity": ["medium"], "reasoning_effort": ["none"],
              "echo": [false], "suffix": [], "prediction": [], "web_search_options": [],
              "frequency_penalty": [0], "presence_penalty": [0], "repetition_penalty": [1], "length_penalty": [1],
              "logit_bias": [{}], "prompt_logprobs": [],
              "tools": [[]], "tool_choice": ["none"], "parallel_tool_calls": [true, false],
              "functions": [[]], "function_call": ["none"],
              "response_format": [{"type": "text"}], "modalities": [["text"]], "audio": [],
              "min_p": [0], "min_tokens": [0], "ignore_eos": [false], "use_beam_search": [false], "early_stopping": [false],
              "stop_token_ids": [[]], "bad_words": [[]], "allowed_token_ids": [], "truncate_prompt_tokens": [],
              "skip_special_tokens": [true], "spaces_between_special_tokens": [true], "include_stop_str_in_output": [false],
              "chat_template": [], "chat_template_kwargs": [{}], "documents": [[]],
              "add_generation_prompt": [true], "continue_final_message": [false],
              "guided_json": [], "guided_regex": [], "guided_choice": [], "guided_grammar": [], "structured_outputs": []
            }
            """);

    private static final HabitualFields OF_MESSAGES = new HabitualFields("""
            {
              "name": "*", "refusal": "*", "annotations": [[]],
              "tool_calls": [[]], "tool_call_id": [], "function_call": [], "audio": []
            }
            """);

    private static final HabitualFields OF_STREAMS = new HabitualFields("""
            {"include_obfuscation": [true, false], "continuous_usage_stats": [false]}
            """);

    private static final HabitualFields NONE = new HabitualFields("{}");

    private final JsonNode valuesByName;

    private HabitualFields(String table) {
        try {
            valuesByName = new JsonMapper().readTree(table);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the table of habitual fields is no JSON", e);
        }
    }

    /** Those of a part of a call. */
    static HabitualFields of(Class<?> part) {
        if (part == CallBody.class) {
            return OF_CALLS;
        }
        if (part == CallBody.Message.class) {
            return OF_MESSAGES;
        }
        return part == CallBody.StreamOptions.class ? OF_STREAMS : NONE;
    }

    /** Whether a field is one of these. */
    boolean has(String name) {
        return valuesByName.has(name);
    }

    /** Whether a field is one of these and its value asks for nothing. */
    boolean asksForNothing(String name, JsonNode value) {
        JsonNode accepted = valuesByName.path(name);
        if (accepted.isMissingNode()) {
            return false;
        }
        boolean harmless = accepted.isTextual() || value == null || value.isNull();
        for (JsonNode each : accepted) {
            harmless |= same(each, value);
        }
        return harmless;
    }

    /**
     * Why a field is refused.
     *
     * @param name of the field in its object
     * @param path of the field in the call
     * @param got its value, for people
     */
    String refusal(String name, String path, String got) {
        JsonNode accepted = valuesByName.path(name);
        if (accepted.isEmpty()) {
            return "%s is not supported: leave it out, got %s".formatted(path, got);
        }
        StringJoiner values = new StringJoiner(" or ");
        accepted.forEach(each -> values.add(each.isTextual() ? each.textValue() : each.toString()));
        return "%s must be %s, got %s; any other %s is not supported".formatted(path, values, got, path);
    }

    private static boolean same(JsonNode accepted, JsonNode value) {
        boolean numbers = accepted.isNumber() && value.isNumber();
        return numbers ? accepted.doubleValue() == value.doubleValue() : accepted.equals(value);
    }
}
