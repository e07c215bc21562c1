package io.tailrace.cli.snapshots;

import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.KeyOptions;
import java.time.Duration;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How commands are given. */
public class Commanding {
    @Bounds(min = 0)
    @Option(
            names = "--wait-seconds",
            defaultValue = "10",
            paramLabel = "SECONDS",
            description =
                    "How long pin, rollback and delete wait until they have taken effect; 0: not at all. unpin and propose do not wait. Default: ${DEFAULT-VALUE}.")
    private int waitSeconds;

    @Mixin
    private KeyOptions.Signing signing = new KeyOptions.Signing();

    /**
     * What gives them.
     *
     * @param topics opens the topics
     * @param issuer who asks, for the record
     * @throws io.tailrace.terminal.BadInputException if a key file is none, or readers that trust as this command does would refuse what it writes
     */
    public final Commander commander(Supplier<LoopTopics> topics, KeyOptions.Trusted trusted, String issuer) {
        return new Commander(topics, GivenKeys.signer(signing, trusted), Duration.ofSeconds(waitSeconds), issuer);
    }
}
