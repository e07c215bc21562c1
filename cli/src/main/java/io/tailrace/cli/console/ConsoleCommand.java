package io.tailrace.cli.console;

import io.tailrace.cli.fleet.FleetOptions;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.snapshots.Commander;
import io.tailrace.cli.snapshots.Commanding;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.Require;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
            "It keeps nothing but what it reads from the topics. Whoever reaches its port sees request ids and tenants' names, no text.",
            "It changes nothing, unless --operators names who may: then they pin, roll back, propose and delete from its pages."
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

    @Option(
            names = "--job-rest",
            paramLabel = "URL",
            description =
                    "Flink's REST interface, at the address of its dashboard: page Books then shows the job's state, restarts and checkpoints. Default: it does not.")
    private URI jobRest;

    @Option(
            names = "--operators",
            paramLabel = "FILE",
            description =
                    "Who may pin, roll back, propose and delete: a line KEY NAME each. Browsers ask for name and key. Default: nobody, no page offers it.")
    private Path operators;

    @Option(
            names = "--operators-anywhere",
            description =
                    "Take operators' keys on an address that other machines reach, too. They go over the network as they are: put TLS before it.")
    private boolean operatorsAnywhere;

    @Mixin
    private Commanding commanding = new Commanding();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Optional<Operators> known = known();
        Supplier<LoopTopics> topics = fleet.topics();
        Optional<Commander> commander = known.map(any -> commanding.commander(topics, fleet.trusted(), ""));
        Optional<JobRest> job = Optional.ofNullable(jobRest).map(JobRest::new);
        Require.freePort("--port", host, port);
        try (Interruption interruption = Interruption.install();
                FollowedFleet followed = FollowedFleet.start(topics);
                Console console = Console.start(
                        followed,
                        known.map(them -> new Actions(followed, them, commander.orElseThrow())),
                        job,
                        host,
                        port)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("http://%s:%d/   Ctrl-C ends it.".formatted(host, console.port()));
            out.flush();
            interruption.await();
            return ExitCodes.DONE;
        }
    }

    /** Who may change something; empty: nobody. */
    private Optional<Operators> known() {
        if (operators != null && !operatorsAnywhere && !Console.isLoopback(host)) {
            throw new BadInputException(
                    "--operators with --host %s would send keys over the network as they are; leave --host out, or put TLS before it and add --operators-anywhere"
                            .formatted(host));
        }
        return Optional.ofNullable(operators).map(Operators::read);
    }
}
