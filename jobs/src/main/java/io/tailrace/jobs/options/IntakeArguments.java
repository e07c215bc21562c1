package io.tailrace.jobs.options;

import io.tailrace.operators.intake.IntakeOptions;
import io.tailrace.terminal.Bounds;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What shards take in. */
@Command(optionListHeading = "Intake")
public final class IntakeArguments {
    @Bounds(min = 1)
    @Option(
            names = "--duplicate-horizon-seconds",
            hidden = true,
            defaultValue = "3600",
            paramLabel = "SECONDS",
            description = "How long repeats of a request id are recognised. Default: ${DEFAULT-VALUE}.")
    long duplicateHorizonSeconds;

    @Bounds(min = 8)
    @Option(
            names = "--duplicate-hashes-max",
            hidden = true,
            defaultValue = "32768",
            paramLabel = "N",
            description = "Request ids that each shard remembers for that, 16 bytes each. Default: ${DEFAULT-VALUE}.")
    int duplicateHashesMax;

    @Bounds(min = 0)
    @Option(
            names = "--scope-quota",
            hidden = true,
            defaultValue = "0",
            paramLabel = "TOKENS",
            description = "Tokens a minute of one scope of one model; more is rejected. Default: 0, no quota.")
    long scopeQuota;

    @Bounds(min = 0)
    @Option(
            names = "--producer-quota",
            hidden = true,
            defaultValue = "0",
            paramLabel = "TOKENS",
            description = "Tokens a minute of each producer of one scope of one model; more is rejected. Beyond 256"
                    + " producers of a scope, further ones share one quota. Default: 0, no quota.")
    long producerQuota;

    public IntakeOptions toOptions(int shards) {
        return new IntakeOptions(
                Duration.ofSeconds(duplicateHorizonSeconds).toMillis(),
                duplicateHashesMax,
                new IntakeOptions.Quotas(scopeQuota, producerQuota),
                shards);
    }
}
