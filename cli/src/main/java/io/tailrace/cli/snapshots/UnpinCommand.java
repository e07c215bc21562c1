package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Command;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tailrace snapshots unpin}. */
@picocli.CommandLine.Command(
        name = "unpin",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Lets the workers follow the newest version again.")
final class UnpinCommand implements Callable<Integer> {
    @Mixin
    private LaneOptions lane;

    @Mixin
    private Commanding commanding;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (LaneTopics topics = lane.open()) {
            return commanding.give(
                    topics,
                    commanding.command(topics.lane(), Command.UNPIN, null, null, false),
                    spec.commandLine().getOut());
        }
    }
}
