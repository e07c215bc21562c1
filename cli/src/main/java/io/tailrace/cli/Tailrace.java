package io.tailrace.cli;

import io.tailrace.agent.command.AgentCommand;
import io.tailrace.cli.audit.AuditCommand;
import io.tailrace.cli.console.ConsoleCommand;
import io.tailrace.cli.dev.DevCommand;
import io.tailrace.cli.fleet.EventsCommand;
import io.tailrace.cli.fleet.GenerationCommand;
import io.tailrace.cli.fleet.LanesCommand;
import io.tailrace.cli.fleet.LearningCommand;
import io.tailrace.cli.fleet.OutcomesCommand;
import io.tailrace.cli.fleet.RejectionsCommand;
import io.tailrace.cli.fleet.WorkersCommand;
import io.tailrace.cli.inspect.InspectCommand;
import io.tailrace.cli.serving.TapCommand;
import io.tailrace.cli.serving.WorkerCommand;
import io.tailrace.cli.snapshots.DeleteCommand;
import io.tailrace.cli.snapshots.SnapshotsCommand;
import io.tailrace.client.UnreachableBrokersException;
import io.tailrace.monitoring.Listening;
import io.tailrace.terminal.ConfiguredCommandLine;
import io.tailrace.terminal.Failures;
import io.tailrace.terminal.OptionHeadings;
import io.tailrace.worker.model.ModelLoadException;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The launcher's main class: the product's commands, and those of every {@link CommandGroup} on the class path. */
@Command(
        name = "tailrace",
        mixinStandardHelpOptions = true,
        description = "Speculative decoding that learns from everything the fleet has ever answered.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DevCommand.class,
            AgentCommand.class,
            WorkerCommand.class,
            TapCommand.class,
            JobCommand.class,
            ClusterCommand.class,
            TopicsCommand.class,
            LanesCommand.class,
            WorkersCommand.class,
            OutcomesCommand.class,
            LearningCommand.class,
            EventsCommand.class,
            RejectionsCommand.class,
            GenerationCommand.class,
            ConsoleCommand.class,
            SnapshotsCommand.class,
            DeleteCommand.class,
            AuditCommand.class,
            InspectCommand.class,
            OptionsPage.OptionsCommand.class,
            ManPages.class,
            GenerateCompletion.class,
            HelpCommand.class
        },
        footerHeading = "%n",
        footer = {
            "Also: tailrace test [--full]  builds everything and runs the tests.",
            "      tailrace fuzz [--seconds N] [--target NAME]  fuzzes what reads bytes from outside.",
            "Exit codes: 0 done, 1 ran but fell short, 2 bad input or usage.",
            "Details of every run are in .tailrace/tailrace.log."
        })
public final class Tailrace implements Runnable {
    @Spec
    private CommandSpec spec;

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        System.exit(commandLine().execute(arguments));
    }

    /** Every command, with what goes wrong mapped to exit codes. */
    public static CommandLine commandLine() {
        List<Object> laboratory = ServiceLoader.load(CommandGroup.class).stream()
                .flatMap(group -> group.get().commands().stream())
                .toList();
        CommandLine tailrace = new ConfiguredCommandLine(new Tailrace(), laboratory);
        OptionHeadings.install(tailrace);
        tailrace.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new CommandList());
        tailrace.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        return tailrace.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(Failures::usage)
                .setExecutionExceptionHandler(Failures.handler(Set.of(
                        UnreachableBrokersException.class,
                        Listening.CannotListenException.class,
                        ModelLoadException.class)));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
