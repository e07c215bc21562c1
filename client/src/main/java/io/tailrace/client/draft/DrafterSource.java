package io.tailrace.client.draft;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;

/** A drafter that stays with a lane and keeps what it has learned while policies change. One thread at a time. */
public interface DrafterSource {
    /**
     * The drafter for a request under this policy; valid until the next call.
     *
     * @param learnedAtMillis what the policy's weights were learned from was completed before
     * @param hurry learn faster: the traffic has shifted
     */
    Drafter under(DraftPolicy policy, long learnedAtMillis, boolean hurry);
}
