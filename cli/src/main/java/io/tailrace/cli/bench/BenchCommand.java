package io.tailrace.cli.bench;

import io.tailrace.cli.bench.loop.BenchFleetCommand;
import io.tailrace.cli.bench.loop.BenchIngestCommand;
import io.tailrace.cli.bench.loop.BenchShiftCommand;
import io.tailrace.cli.experiment.FreshnessCommand;
import io.tailrace.cli.experiment.IndexSizeCommand;
import io.tailrace.cli.experiment.SamplingCommand;
import io.tailrace.cli.experiment.ShiftCommand;
import io.tailrace.cli.experiment.SilosCommand;
import io.tailrace.cli.experiment.SourcesCommand;
import io.tailrace.cli.experiment.StrategiesCommand;
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
            BenchForwardCommand.class,
            BenchServeCommand.class,
            BenchHybridCommand.class,
            BenchSaguaroCommand.class,
            StrategiesCommand.class,
            SourcesCommand.class,
            IndexSizeCommand.class,
            ShiftCommand.class,
            SilosCommand.class,
            FreshnessCommand.class,
            SamplingCommand.class,
            BenchShiftCommand.class,
            BenchFleetCommand.class,
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
