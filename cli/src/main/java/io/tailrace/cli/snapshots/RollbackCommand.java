package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Command;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tailrace snapshots rollback}. */
@picocli.CommandLine.Command(
        name = "rollback",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Takes the workers back to a version at once; the job announces it again as a higher one.")
final class RollbackCommand implements Callable<Integer> {
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
                lane, Command.ROLLBACK, version, spec.commandLine().getOut());
    }
}
