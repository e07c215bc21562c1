package io.tailrace.strategies.recycling;

/**
 * What Token Recycling lets one choose.
 *
 * @param candidatesMax k: candidates kept for each token, 1 to {@link TreeTemplate#WIDTH}
 * @param observed the stand-in for replays, which know no candidates: the tokens that followed a token in prompts and answers,
 *     latest first. Not the published method: the model's second choices, which it lives from, are not among them until they
 *     were said
 */
public record TokenRecyclingSettings(int candidatesMax, boolean observed) {
    public TokenRecyclingSettings {
        if (candidatesMax < 1 || candidatesMax > TreeTemplate.WIDTH) {
            throw new IllegalArgumentException(
                    "candidatesMax must be in [1, " + TreeTemplate.WIDTH + "], got " + candidatesMax);
        }
    }

    /** As published: the model's 8 likeliest tokens. */
    public static TokenRecyclingSettings published() {
        return new TokenRecyclingSettings(8, false);
    }
}
