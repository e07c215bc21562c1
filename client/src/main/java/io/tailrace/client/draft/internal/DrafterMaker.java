package io.tailrace.client.draft.internal;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import java.util.function.Function;

/** Makes a lane's drafters. */
public interface DrafterMaker {
    /**
     * One more drafter, for a request served beside others.
     *
     * @param learnedAtMillis what the policy's weights were learned from was completed before
     */
    Drafter another(DraftPolicy policy, long learnedAtMillis);

    /**
     * A request begins: a moment to note what was learned until now.
     *
     * @param hurry what learns is to learn faster: the lane's traffic has shifted
     */
    void requestBegins(boolean hurry);

    /** Whether its drafters share tokens of answers, which a delete is to reach. */
    default boolean sharesTokens() {
        return false;
    }

    /** A maker of drafters that learn nothing together. */
    static DrafterMaker of(Function<DraftPolicy, ? extends Drafter> drafters) {
        return new DrafterMaker() {
            @Override
            public Drafter another(DraftPolicy policy, long learnedAtMillis) {
                return drafters.apply(policy);
            }

            @Override
            public void requestBegins(boolean hurry) {
                // Nothing is noted.
            }
        };
    }
}
