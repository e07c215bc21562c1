package io.tailrace.bench.replay;

/**
 * What a replay gave, over the counted requests.
 *
 * @param steps verifications
 * @param tokens response tokens produced
 * @param drafted draft tokens verified
 * @param accepted draft tokens accepted
 * @param draftNanos times of the counted drafts
 */
record ReplayResult(long steps, long tokens, long drafted, long accepted, Durations draftNanos) {
    double acceptedPerStep() {
        return steps == 0 ? 0 : (double) accepted / steps;
    }

    double tokensPerStep() {
        return steps == 0 ? 0 : (double) tokens / steps;
    }

    double draftedPerStep() {
        return steps == 0 ? 0 : (double) drafted / steps;
    }

    /** Both together, each step counted once. */
    ReplayResult plus(ReplayResult other) {
        return new ReplayResult(
                steps + other.steps,
                tokens + other.tokens,
                drafted + other.drafted,
                accepted + other.accepted,
                draftNanos.plus(other.draftNanos));
    }

    static ReplayResult none() {
        return new ReplayResult(0, 0, 0, 0, new Durations());
    }
}
