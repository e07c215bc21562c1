package io.tailrace.lab.bench.poison;

import io.tailrace.operators.indexing.TokenQuota;

/** What the job lets into the lane. Buckets are the job's own. */
final class Quotas {
    private final TokenQuota ofHonest;
    private final TokenQuota ofFlood;
    private final Kind kind;

    /** Whose tokens one bucket counts. */
    enum Kind {
        NONE("none"),
        /** {@code --scope-quota}: one bucket for all producers of the scope. */
        SCOPE("scope"),
        /** A bucket for each producer, which the job does not have. */
        PRODUCER("each producer");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    /**
     * Full buckets.
     *
     * @param tokensPerMinute of each
     */
    Quotas(Kind kind, double tokensPerMinute) {
        this.kind = kind;
        this.ofHonest = new TokenQuota(kind == Kind.NONE ? 0 : tokensPerMinute);
        this.ofFlood = kind == Kind.PRODUCER ? new TokenQuota(tokensPerMinute) : ofHonest;
    }

    Kind kind() {
        return kind;
    }

    /** Whether an answer of so many tokens gets in. */
    boolean admits(boolean honest, int tokens, long nowMillis) {
        return (honest ? ofHonest : ofFlood).take(tokens, nowMillis);
    }
}
