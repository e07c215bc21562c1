package io.tailrace.agent.command;

import io.tailrace.client.UnreachableBrokersException;
import io.tailrace.monitoring.Listening;
import io.tailrace.terminal.ConfiguredCommandLine;
import io.tailrace.terminal.Failures;
import io.tailrace.terminal.OptionHeadings;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The main class of an agent that runs without the other commands on its class path. */
@Command(name = "tailrace", mixinStandardHelpOptions = true)
public final class AgentMain implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Runs {@code agent} with its options. */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine tailrace = new ConfiguredCommandLine(new AgentMain(), List.of(new AgentCommand()));
        OptionHeadings.install(tailrace);
        return tailrace.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(Failures::usage)
                .setExecutionExceptionHandler(Failures.handler(
                        Set.of(UnreachableBrokersException.class, Listening.CannotListenException.class)));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command: agent");
    }
}
