package io.tailrace.jobs.options;

import io.tailrace.operators.indexing.IndexingOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How shards gather and flush. */
public final class IndexingArguments {
    @Option(
            names = "--flush-age-millis",
            defaultValue = "1000",
            paramLabel = "MILLIS",
            description =
                    "A memtable is flushed when its oldest generation has waited this long, or shortly before the "
                            + "next checkpoint if that is sooner. Default: ${DEFAULT-VALUE}.")
    long flushAgeMillis;

    @Option(
            names = "--flush-tokens",
            defaultValue = "65536",
            paramLabel = "N",
            description = "Or when it holds this many tokens. Default: ${DEFAULT-VALUE}.")
    int flushTokens;

    @Option(
            names = "--memtable-tokens-max",
            defaultValue = "4194304",
            paramLabel = "N",
            description =
                    "While the store fails, memtables grow up to this; then the job restarts. Default: ${DEFAULT-VALUE}.")
    long memtableTokensMax;

    @Option(
            names = "--duplicate-horizon-seconds",
            defaultValue = "3600",
            paramLabel = "SECONDS",
            description = "How long repeats of a request id are recognised. Default: ${DEFAULT-VALUE}.")
    long duplicateHorizonSeconds;

    @Option(
            names = "--duplicate-hashes-max",
            defaultValue = "32768",
            paramLabel = "N",
            description = "Request ids that each shard remembers for that, 16 bytes each. Default: ${DEFAULT-VALUE}.")
    int duplicateHashesMax;

    @Option(
            names = "--scope-quota",
            defaultValue = "0",
            paramLabel = "TOKENS",
            description = "Tokens a minute of one scope of one model; more is rejected. Default: 0, no quota.")
    long scopeQuota;

    public IndexingOptions toOptions(int shards) {
        return new IndexingOptions(
                flushTokens,
                flushAgeMillis,
                memtableTokensMax,
                Duration.ofSeconds(duplicateHorizonSeconds).toMillis(),
                duplicateHashesMax,
                scopeQuota,
                shards);
    }
}
