package io.tailrace.worker.engine;

import io.tailrace.worker.sampling.SamplingParameters;
import java.util.List;
import java.util.Objects;

/**
 * What is asked of a model.
 *
 * @param id unique in its scope
 * @param scope whose lane it drafts from and is remembered in
 * @param prompt token ids, at least one
 * @param tokensMax most tokens to answer with; {@link #TOKENS_UNASKED}: as many as the worker gives by itself
 * @param sampling how they are chosen
 * @param stops texts that end the answer; not part of it
 * @param drafted false: decoded without drafts
 * @param remembered false: its answer is neither reported nor drafted from
 * @param topLogprobs each token comes with how likely it was and so many of the likeliest at its place; {@link #NO_LOGPROBS}: with nothing
 */
public record DecodeRequest(
        String id,
        String scope,
        int[] prompt,
        int tokensMax,
        SamplingParameters sampling,
        List<String> stops,
        boolean drafted,
        boolean remembered,
        int topLogprobs) {
    /** Nobody asks how likely tokens were. */
    public static final int NO_LOGPROBS = -1;

    /** No length is asked for. */
    public static final int TOKENS_UNASKED = 0;

    public DecodeRequest {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(sampling, "sampling");
        stops = List.copyOf(stops);
        if (prompt.length == 0 || tokensMax < TOKENS_UNASKED) {
            throw new IllegalArgumentException(
                    "prompt must have at least 1 token and tokensMax be at least 0, got %d and %d"
                            .formatted(prompt.length, tokensMax));
        }
        if (topLogprobs < NO_LOGPROBS) {
            throw new IllegalArgumentException("topLogprobs must be at least 0, got " + topLogprobs);
        }
        if (stops.stream().anyMatch(String::isEmpty)) {
            throw new IllegalArgumentException("a stop text must not be empty");
        }
    }

    /** A request without logprobs. */
    public DecodeRequest(
            String id,
            String scope,
            int[] prompt,
            int tokensMax,
            SamplingParameters sampling,
            List<String> stops,
            boolean drafted,
            boolean remembered) {
        this(id, scope, prompt, tokensMax, sampling, stops, drafted, remembered, NO_LOGPROBS);
    }

    /** Whether each token comes with how likely it was. */
    public boolean logprobs() {
        return topLogprobs != NO_LOGPROBS;
    }

    /** Greedy, drafted and remembered, without stop texts. */
    public static DecodeRequest greedy(String id, String scope, int[] prompt, int tokensMax) {
        return new DecodeRequest(id, scope, prompt, tokensMax, SamplingParameters.GREEDY, List.of(), true, true);
    }

    /** A request in the engine. Safe for any number of threads. */
    public interface Ticket {
        /** Ends the request before its next step; its sink is told. Does nothing once it has ended. */
        void cancel();
    }
}
