package io.tailrace.operators.indexing;

import static io.tailrace.operators.Preconditions.require;

import java.io.Serializable;

/**
 * How a shard gathers and flushes.
 *
 * @param flushTokensMax a memtable is flushed when it holds this many tokens
 * @param flushAgeMillisMax or when its oldest generation has waited this long; sooner where a checkpoint is near
 * @param memtableTokensMax while the store fails, a memtable grows up to this; beyond it the job fails and restarts
 * @param duplicateHorizonMillis how long repeats of a request id are recognised
 * @param duplicateHashesMax how many request ids a shard remembers for that
 * @param quotaTokensPerMinute of one lane's scope, over all its shards; 0: none
 * @param shards over which the quota is divided
 */
public record IndexingOptions(
        int flushTokensMax,
        long flushAgeMillisMax,
        long memtableTokensMax,
        long duplicateHorizonMillis,
        int duplicateHashesMax,
        long quotaTokensPerMinute,
        int shards)
        implements Serializable {
    public IndexingOptions {
        require(flushTokensMax > 0, "flushTokensMax must be > 0, got %d", flushTokensMax);
        require(flushAgeMillisMax > 0, "flushAgeMillisMax must be > 0, got %d", flushAgeMillisMax);
        require(
                memtableTokensMax >= flushTokensMax,
                "memtableTokensMax must be >= flushTokensMax (%d), got %d",
                flushTokensMax,
                memtableTokensMax);
        require(duplicateHorizonMillis > 0, "duplicateHorizonMillis must be > 0, got %d", duplicateHorizonMillis);
        require(duplicateHashesMax >= 8, "duplicateHashesMax must be >= 8, got %d", duplicateHashesMax);
        require(quotaTokensPerMinute >= 0, "quotaTokensPerMinute must be >= 0, got %d", quotaTokensPerMinute);
        require(shards > 0, "shards must be > 0, got %d", shards);
    }

    /** 65,536 tokens or a second, four million tokens at most, an hour or 32,768 ids, no quota. */
    public static IndexingOptions defaults(int shards) {
        return new IndexingOptions(1 << 16, 1_000, 1 << 22, 3_600_000, 1 << 15, 0, shards);
    }
}
