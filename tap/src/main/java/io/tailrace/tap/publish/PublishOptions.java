package io.tailrace.tap.publish;

import io.tailrace.client.ClientOptions;
import io.tailrace.schemas.LaneId;
import java.util.Objects;
import java.util.Optional;

/**
 * As what answers are published.
 *
 * @param name producer of the generations
 * @param model as the fleet calls it
 * @param revision of its weights
 * @param engineModel as the server's answers call it
 * @param scope of all requests; empty: a header names each request's
 * @param prompts generations carry the prompt where its ids are known
 * @param textBytesMax most bytes of a body once it is unpacked
 */
public record PublishOptions(
        String name,
        String model,
        String revision,
        String engineModel,
        Optional<String> scope,
        boolean prompts,
        int textBytesMax) {
    public PublishOptions {
        ClientOptions.checkName("name", name);
        Objects.requireNonNull(engineModel, "engineModel");
        // the lane's limits hold for model, revision and a fixed scope from the start
        LaneId unused = new LaneId(model, revision, scope.orElse("any"));
    }
}
