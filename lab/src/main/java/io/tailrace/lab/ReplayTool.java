package io.tailrace.lab;

import io.tailrace.lab.convert.CheckCommand;
import io.tailrace.lab.convert.ConvertCommand;
import io.tailrace.lab.replay.report.ReplayCommand;
import io.tailrace.terminal.ConfiguredCommandLine;
import io.tailrace.terminal.Failures;
import io.tailrace.terminal.OptionHeadings;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Main class of the reduced distribution: what reads logs, checks and replays them, and nothing of what serves or indexes. */
@Command(
        name = "tailrace",
        mixinStandardHelpOptions = true,
        description = "What speculative decoding from a fleet's answers would give on your logs.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = HelpCommand.class)
public final class ReplayTool implements Runnable {
    @Spec
    private CommandSpec spec;

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        System.setProperty(
                "slf4j.internal.verbosity", "ERROR"); // nothing is logged here, so no library for it is brought along
        System.exit(commandLine().execute(arguments));
    }

    private static CommandLine commandLine() {
        CommandLine tool = new ConfiguredCommandLine(
                new ReplayTool(), List.of(new ReplayCommand(), new ConvertCommand(), new CheckCommand()));
        OptionHeadings.install(tool);
        return tool.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(Failures::usage)
                .setExecutionExceptionHandler(Failures.handler(Set.of()));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
