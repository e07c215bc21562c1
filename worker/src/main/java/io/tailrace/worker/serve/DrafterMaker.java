package io.tailrace.worker.serve;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;

/** Makes a lane's drafters. */
interface DrafterMaker {
    Drafter another(DraftPolicy policy, long learnedAtMillis);

    /** Whether what learns is to learn faster: the lane's traffic has shifted. */
    default void hurry(boolean on) {}

    /** A request begins: a moment to note what was learned until now. */
    default void requestBegins() {}
}
