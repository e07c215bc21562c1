package io.tailrace.lab;

import io.tailrace.cli.CommandGroup;
import io.tailrace.lab.bench.budget.BenchBudgetCommand;
import io.tailrace.lab.bench.draft.BenchDraftCommand;
import io.tailrace.lab.bench.engine.BenchDoorCommand;
import io.tailrace.lab.bench.engine.BenchEngineCommand;
import io.tailrace.lab.bench.index.BenchIndexCommand;
import io.tailrace.lab.bench.leak.BenchLeakCommand;
import io.tailrace.lab.bench.loop.BenchFleetCommand;
import io.tailrace.lab.bench.loop.BenchIngestCommand;
import io.tailrace.lab.bench.loop.BenchShiftCommand;
import io.tailrace.lab.bench.poison.BenchPoisonCommand;
import io.tailrace.lab.bench.saguaro.BenchSaguaroCommand;
import io.tailrace.lab.bench.scale.BenchScaleCommand;
import io.tailrace.lab.bench.serve.BenchForwardCommand;
import io.tailrace.lab.bench.serve.BenchHybridCommand;
import io.tailrace.lab.bench.serve.BenchServeCommand;
import io.tailrace.lab.chaos.ChaosCommand;
import io.tailrace.lab.check.CheckTopicCommand;
import io.tailrace.lab.convert.ConvertCommand;
import io.tailrace.lab.demo.DemoCommand;
import io.tailrace.lab.experiment.Experiments;
import io.tailrace.lab.experiment.Parts;
import io.tailrace.lab.load.LoadCommand;
import io.tailrace.lab.replay.report.ReplayCommand;
import io.tailrace.lab.traffic.TrafficCommand;
import io.tailrace.lab.weights.BenchWeightsCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The laboratory's commands. */
public final class LabCommands implements CommandGroup {
    @Override
    public List<Object> commands() {
        return List.of(
                new DemoCommand(),
                new ReplayCommand(),
                new ConvertCommand(),
                new CheckTopicCommand(),
                new LoadCommand(),
                new TrafficCommand(),
                new ChaosCommand(),
                new BenchCommand());
    }

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
                BenchDoorCommand.class,
                BenchEngineCommand.class,
                BenchBudgetCommand.class,
                BenchSaguaroCommand.class,
                BenchLeakCommand.class,
                BenchPoisonCommand.class,
                Experiments.Strategies.class,
                Experiments.Sources.class,
                Parts.class,
                Experiments.IndexSize.class,
                Experiments.Shift.class,
                Experiments.Silos.class,
                Experiments.Freshness.class,
                Experiments.Sampling.class,
                BenchShiftCommand.class,
                BenchFleetCommand.class,
                BenchIngestCommand.class,
                BenchScaleCommand.class
            })
    public static final class BenchCommand implements Runnable {
        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            throw new ParameterException(spec.commandLine(), "Missing experiment");
        }
    }
}
