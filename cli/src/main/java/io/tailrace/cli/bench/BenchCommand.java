package io.tailrace.cli.bench;

import io.tailrace.cli.bench.loop.BenchIngestCommand;
import io.tailrace.cli.bench.loop.BenchShiftCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tailrace bench}: measurements on this machine. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "EXPERIMENT",
        description = "Measures Tailrace on this machine.",
        subcommands = {
            BenchIndexCommand.class,
            BenchDraftCommand.class,
            BenchWeightsCommand.class,
            BenchShiftCommand.class,
            BenchIngestCommand.class
        })
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing experiment");
    }
}
