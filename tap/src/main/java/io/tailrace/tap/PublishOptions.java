package io.tailrace.tap;

import io.tailrace.client.ClientOptions;
import io.tailrace.schemas.LaneId;
import java.util.Objects;
import java.util.Optional;

/**
 * As what answers are published.
 *
 * @param name producer of the generations, unique in the fleet
 * @param model as the fleet and the server's answers call it
 * @param revision of its weights
 * @param prompts generations carry the prompt where its ids are known
 * @param tokenizer for answers without token ids; empty: those are not published. It stays the caller's
 */
public record PublishOptions(
        String name, String model, String revision, boolean prompts, Optional<AnswerTokenizer> tokenizer) {
    public PublishOptions {
        ClientOptions.checkName("name", name);
        Objects.requireNonNull(tokenizer, "tokenizer");
        // A lane's limits hold for model and revision, whatever the scope.
        lane(model, revision, "any");
    }

    /** The lane of a scope; empty: it can have none. */
    Optional<LaneId> lane(String scope) {
        try {
            return Optional.of(lane(model, revision, scope));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static LaneId lane(String model, String revision, String scope) {
        LaneId lane = new LaneId(model, revision, scope);
        if (!lane.isStorable()) {
            throw new IllegalArgumentException("no store has room for a folder of so long a name: " + lane);
        }
        return lane;
    }
}
