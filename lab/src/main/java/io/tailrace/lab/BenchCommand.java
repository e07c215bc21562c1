package io.tailrace.lab;

import io.tailrace.lab.bench.draft.BenchDraftCommand;
import io.tailrace.lab.bench.engine.BenchEngineCommand;
import io.tailrace.lab.bench.index.BenchIndexCommand;
import io.tailrace.lab.bench.loop.BenchFleetCommand;
import io.tailrace.lab.bench.loop.BenchIngestCommand;
import io.tailrace.lab.bench.loop.BenchShiftCommand;
import io.tailrace.lab.bench.saguaro.BenchSaguaroCommand;
import io.tailrace.lab.bench.serve.BenchForwardCommand;
import io.tailrace.lab.bench.serve.BenchHybridCommand;
import io.tailrace.lab.bench.serve.BenchServeCommand;
import io.tailrace.lab.experiment.Experiments;
import io.tailrace.lab.experiment.ShiftCommand;
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
            BenchEngineCommand.class,
            BenchSaguaroCommand.class,
            Experiments.Strategies.class,
            Experiments.Sources.class,
            Experiments.IndexSize.class,
            ShiftCommand.class,
            Experiments.Silos.class,
            Experiments.Freshness.class,
            Experiments.Sampling.class,
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
