package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.worker.engine.DecodeRequest;

/** Whether a call asks how likely tokens were: a completion with how many of the likeliest, a chat with yes and how many besides. */
final class AskedLogprobs {
    private static final int TOP_MAX = 20;

    private AskedLogprobs() {}

    /** How many of the likeliest tokens; {@link DecodeRequest#NO_LOGPROBS}: nothing is asked for. */
    static int ofCompletion(CallBody body) {
        if (body.topLogprobs() != null && body.topLogprobs() != 0) {
            throw ApiException.unsupported(
                    "top_logprobs", "top_logprobs is not supported here: logprobs says how many");
        }
        JsonNode asked = body.logprobs();
        if (asked == null || asked.isNull() || (asked.isBoolean() && !asked.booleanValue())) {
            return DecodeRequest.NO_LOGPROBS;
        }
        if (!asked.isIntegralNumber() || !asked.canConvertToInt()) {
            throw ApiException.invalid(
                    "logprobs", "logprobs must be a whole number here, got " + CallJson.shown(asked));
        }
        return top("logprobs", asked.intValue());
    }

    /** The same of a chat. */
    static int ofChat(CallBody body) {
        int top = body.topLogprobs() == null ? 0 : top("top_logprobs", body.topLogprobs());
        JsonNode asked = body.logprobs();
        boolean given = asked != null && !asked.isNull();
        if (given && !asked.isBoolean()) {
            throw ApiException.invalid("logprobs", "logprobs must be true or false here, got " + CallJson.shown(asked));
        }
        if (given && asked.booleanValue()) {
            return top;
        }
        if (top > 0) {
            throw ApiException.invalid("top_logprobs", "top_logprobs needs logprobs to be true");
        }
        return DecodeRequest.NO_LOGPROBS;
    }

    private static int top(String name, int asked) {
        if (asked < 0 || asked > TOP_MAX) {
            throw ApiException.invalid(name, "%s must be 0 to %d, got %d".formatted(name, TOP_MAX, asked));
        }
        return asked;
    }
}
