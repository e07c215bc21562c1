package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Command;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tailrace snapshots pin}. */
@picocli.CommandLine.Command(
        name = "pin",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Holds the workers at a version until it is unpinned; the job goes on announcing.")
final class PinCommand implements Callable<Integer> {
    @Mixin
    private LaneOptions lane;

    @Mixin
    private Commanding commanding;

    @Parameters(paramLabel = "VERSION", description = "An announced version, as 'list' shows it.")
    private long version;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        return commanding.giveVersion(
                lane, Command.PIN, version, spec.commandLine().getOut());
    }
}
