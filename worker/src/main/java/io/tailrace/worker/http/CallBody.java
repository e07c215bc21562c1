package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * The fields of a call that are served, as OpenAI names them with underscores. This is the list of what is allowed: {@link CallJson}
 * refuses a field that has no component here, unless it is one of the {@link HabitualFields}. A field that is missing or null is null;
 * where several kinds of values are understood it is a node.
 *
 * @param prompt a text, token ids, or a list of either
 * @param n answers to each prompt
 * @param bestOf as many as {@code n}, or none
 * @param logprobs of a completion how many, of a chat whether
 * @param tailrace what OpenAI's API does not have
 */
record CallBody(
        String model,
        JsonNode prompt,
        List<Message> messages,
        Integer maxTokens,
        Integer maxCompletionTokens,
        Double temperature,
        Double topP,
        Integer topK,
        Long seed,
        JsonNode stop,
        Integer n,
        Integer bestOf,
        JsonNode logprobs,
        Integer topLogprobs,
        Boolean stream,
        StreamOptions streamOptions,
        Boolean store,
        Extension tailrace) {

    /** One turn of a chat; its content is a text or a list of {@link TextPart}. */
    record Message(String role, JsonNode content) {}

    /** A piece of a content; the type is {@code text}. */
    record TextPart(String type, String text) {}

    /** How to stream. */
    record StreamOptions(Boolean includeUsage) {}

    /**
     * What is this server's own.
     *
     * @param drafts false: decode without
     * @param report tell what speculation did
     */
    record Extension(Boolean drafts, Boolean report) {}

    boolean includesUsage() {
        return streamOptions != null && is(streamOptions.includeUsage(), false);
    }

    boolean drafts() {
        return tailrace == null || is(tailrace.drafts(), true);
    }

    boolean report() {
        return tailrace != null && is(tailrace.report(), false);
    }

    boolean streams() {
        return is(stream, false);
    }

    boolean remembered() {
        return is(store, true);
    }

    private static boolean is(Boolean given, boolean missing) {
        return given == null ? missing : given;
    }
}
