package io.tailrace.lab.bench.leak;

import io.tailrace.lab.bench.serve.StoryPrompts;

/** Requests that people might make: recorded prompts, gone on with by the model so that no two are the same. */
final class Secrets {
    private static final int OWN_TOKENS = 8;

    private final PublicModel model;
    private final StoryPrompts prompts;
    private final long seed;

    Secrets(PublicModel model, StoryPrompts prompts, long seed) {
        this.model = model;
        this.prompts = prompts;
        this.seed = seed;
    }

    /** A request by its number; the same for the same seed. */
    int[] request(int number) {
        return model.continued(prompts.tokens(number), OWN_TOKENS, seed + number);
    }
}
