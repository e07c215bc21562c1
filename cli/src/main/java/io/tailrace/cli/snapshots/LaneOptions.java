package io.tailrace.cli.snapshots;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.jobs.options.BrokerOptions;
import io.tailrace.schemas.LaneId;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which lane, and where. */
final class LaneOptions {
    @Mixin
    private BrokerOptions kafka = new BrokerOptions();

    @Option(
            names = "--lane",
            required = true,
            paramLabel = "MODEL@REVISION/SCOPE",
            description = "The lane, as metrics and logs write it.")
    private String lane;

    LaneId lane() {
        try {
            return LaneId.parse(lane);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--lane: " + e.getMessage(), e);
        }
    }

    LaneTopics open() {
        return new LaneTopics(new LoopTopics(kafka), lane());
    }
}
