package io.tailrace.cli.console;

import io.tailrace.cli.fleet.FleetOptions;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.Require;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace console}: pages on which operators look at an installation. */
@Command(
        name = "console",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows an installation on web pages, until Ctrl-C: lanes, versions and who serves them, learning, outcomes, events, rejections, a generation, the books.",
            "It changes nothing, and keeps nothing but what it reads from the topics. Whoever reaches its port sees request ids and tenants' names, no text."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace console --bootstrap localhost:9092")
public final class ConsoleCommand implements Callable<Integer> {
    @Mixin
    private FleetOptions fleet = new FleetOptions();

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            paramLabel = "ADDRESS",
            description = "Where to answer browsers. Default: ${DEFAULT-VALUE}.")
    private String host;

    @Bounds(min = 0, max = 65_535)
    @Option(
            names = "--port",
            defaultValue = "9470",
            paramLabel = "P",
            description = "Port of the pages; 0: any free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Require.freePort("--port", host, port);
        try (Interruption interruption = Interruption.install();
                FollowedFleet followed = FollowedFleet.start(fleet.topics());
                Console console = Console.start(followed, host, port)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("http://%s:%d/   Ctrl-C ends it.".formatted(host, console.port()));
            out.flush();
            interruption.await();
            return ExitCodes.DONE;
        }
    }
}
