package io.tailrace.operators.intake;

import static io.tailrace.operators.Preconditions.require;

import java.io.Serializable;

/**
 * What a shard takes in.
 *
 * @param duplicateHorizonMillis how long repeats of a request id are recognised
 * @param duplicateHashesMax how many request ids a shard remembers for that
 * @param quotas of one lane, over all its shards
 * @param shards over which the quotas are divided
 */
public record IntakeOptions(long duplicateHorizonMillis, int duplicateHashesMax, Quotas quotas, int shards)
        implements Serializable {
    public IntakeOptions {
        require(duplicateHorizonMillis > 0, "duplicateHorizonMillis must be > 0, got %d", duplicateHorizonMillis);
        require(duplicateHashesMax >= 8, "duplicateHashesMax must be >= 8, got %d", duplicateHashesMax);
        require(shards > 0, "shards must be > 0, got %d", shards);
    }

    /**
     * How much may enter a lane.
     *
     * @param scopeTokensPerMinute of all its producers together; 0: no limit
     * @param producerTokensPerMinute of each; 0: no limit
     */
    public record Quotas(long scopeTokensPerMinute, long producerTokensPerMinute) implements Serializable {
        public static final Quotas NONE = new Quotas(0, 0);

        public Quotas {
            require(scopeTokensPerMinute >= 0, "scopeTokensPerMinute must be >= 0, got %d", scopeTokensPerMinute);
            require(
                    producerTokensPerMinute >= 0,
                    "producerTokensPerMinute must be >= 0, got %d",
                    producerTokensPerMinute);
        }
    }

    /** An hour or 32,768 ids, no quota. */
    public static IntakeOptions defaults(int shards) {
        return new IntakeOptions(3_600_000, 1 << 15, Quotas.NONE, shards);
    }
}
