package io.tailrace.lab;

import io.tailrace.lab.bench.draft.BenchDraftCommand;
import io.tailrace.lab.bench.index.BenchIndexCommand;
import io.tailrace.lab.bench.loop.BenchFleetCommand;
import io.tailrace.lab.bench.loop.BenchIngestCommand;
import io.tailrace.lab.bench.loop.BenchShiftCommand;
import io.tailrace.lab.bench.saguaro.BenchSaguaroCommand;
import io.tailrace.lab.bench.serve.BenchForwardCommand;
import io.tailrace.lab.bench.serve.BenchHybridCommand;
import io.tailrace.lab.bench.serve.BenchServeCommand;
import io.tailrace.lab.experiment.FreshnessCommand;
import io.tailrace.lab.experiment.IndexSizeCommand;
import io.tailrace.lab.experiment.SamplingCommand;
import io.tailrace.lab.experiment.ShiftCommand;
import io.tailrace.lab.experiment.SilosCommand;
import io.tailrace.lab.experiment.SourcesCommand;
import io.tailrace.lab.experiment.StrategiesCommand;
import io.tailrace.lab.weights.BenchWeightsCommand;
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
