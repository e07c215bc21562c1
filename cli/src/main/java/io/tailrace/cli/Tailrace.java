package io.tailrace.cli;

import io.tailrace.cli.bench.BenchCommand;
import io.tailrace.cli.demo.DemoCommand;
import io.tailrace.cli.fleet.TrafficCommand;
import io.tailrace.cli.fleet.WorkerCommand;
import io.tailrace.cli.inspect.InspectCommand;
import io.tailrace.cli.replay.ReplayCommand;
import io.tailrace.cli.snapshots.DeleteCommand;
import io.tailrace.cli.snapshots.SnapshotsCommand;
import io.tailrace.cli.terminal.Failures;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The launcher's main class: knows every command. */
@Command(
        name = "tailrace",
        mixinStandardHelpOptions = true,
        version = "tailrace 0.1.0",
        description = "Speculative decoding that learns from everything the fleet has ever answered.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            ReplayCommand.class,
            WorkerCommand.class,
            JobCommand.class,
            TopicsCommand.class,
            TrafficCommand.class,
            SnapshotsCommand.class,
            DeleteCommand.class,
            InspectCommand.class,
            BenchCommand.class,
            HelpCommand.class
        },
        footerHeading = "%n",
        footer = {
            "Also: tailrace test [--full]  builds everything and runs the tests.",
            "Exit codes: 0 done, 1 ran but fell short, 2 bad input or usage.",
            "Details of every run are in .tailrace/tailrace.log."
        })
public final class Tailrace implements Runnable {
    @Spec
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** Every command, with what goes wrong mapped to exit codes. */
    public static CommandLine commandLine() {
        return new CommandLine(new Tailrace())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler(Failures::handle);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
