package io.tailrace.lab.bench.poison;

import io.tailrace.operators.intake.ProducerQuotas;
import io.tailrace.operators.intake.TokenQuota;

/** What the job lets into the lane. Buckets are the job's own. */
final class Quotas {
    private final TokenQuota ofScope;
    private final ProducerQuotas ofProducers;
    private final Kind kind;

    /** Whose tokens one bucket counts. */
    enum Kind {
        NONE("none"),
        /** {@code --scope-quota}: one bucket for all producers of the scope. */
        SCOPE("scope"),
        /** {@code --producer-quota}: a bucket for each producer. */
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
     * Quotas of a job that starts now.
     *
     * @param tokensPerMinute of each bucket
     */
    Quotas(Kind kind, double tokensPerMinute) {
        this.kind = kind;
        this.ofScope = new TokenQuota(kind == Kind.SCOPE ? tokensPerMinute : 0);
        this.ofProducers = new ProducerQuotas(kind == Kind.PRODUCER ? tokensPerMinute : 0);
    }

    Kind kind() {
        return kind;
    }

    /** Whether an answer of so many tokens gets in. */
    boolean admits(boolean honest, int tokens, long nowMillis) {
        return ofProducers.of(honest ? "honest" : "flood", nowMillis).take(tokens, nowMillis)
                && ofScope.take(tokens, nowMillis);
    }
}
