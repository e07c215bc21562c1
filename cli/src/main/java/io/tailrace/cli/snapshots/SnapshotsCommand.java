package io.tailrace.cli.snapshots;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tailrace snapshots}: the versions of a lane. */
@Command(
        name = "snapshots",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "(list | show | diff | pin | unpin | rollback | propose)",
        description = "Shows the versions of a lane, and decides which one its workers serve.",
        subcommands = {
            ListCommand.class,
            ShowCommand.class,
            DiffCommand.class,
            PinCommand.class,
            UnpinCommand.class,
            RollbackCommand.class,
            ProposeCommand.class
        })
public final class SnapshotsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Missing command: list, show, diff, pin, unpin, rollback or propose");
    }
}
