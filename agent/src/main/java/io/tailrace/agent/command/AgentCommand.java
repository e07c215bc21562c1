package io.tailrace.agent.command;

import io.tailrace.agent.engine.WarmUp;
import io.tailrace.agent.serve.Agent;
import io.tailrace.agent.serve.AgentOptions;
import io.tailrace.agent.serve.ListenAddress;
import io.tailrace.agent.serve.ModelSpools;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace agent}: drafts for the engines of this host until it is told to end. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Drafts for the engines of this host, as vLLM with the Python package of Tailrace. With Kafka it follows the fleet's"
                    + " snapshots and reports generations and outcomes. Without, it learns from this host's answers and keeps them.",
            "Ctrl-C or SIGTERM ends it in order; engines serve on without drafts."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace agent",
            "  tailrace agent --bootstrap kafka:9092 --store s3://tailrace-segments/ --scope chat"
        })
public final class AgentCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(AgentCommand.class);
    private static final long LOOK_MILLIS = 1_000;
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final String SCOPE_ALONE = "default";

    @Option(
            names = "--listen",
            paramLabel = "SOCKET",
            description =
                    "Where engines connect: a Unix socket's path, or tcp://127.0.0.1:PORT. Default: ~/.tailrace/agent.sock.")
    private String listen;

    @Option(
            names = "--scope",
            paramLabel = "NAME",
            description =
                    "Scope of requests whose engine names none. Default: none, they draft from their own context only;"
                            + " without --bootstrap " + SCOPE_ALONE + ".")
    private String scope;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            paramLabel = "ADDRESS",
            description =
                    "Where status, /metrics and /health answer; in a container 0.0.0.0. Default: ${DEFAULT-VALUE}.")
    private String host;

    @Bounds(min = 0, max = 65_535)
    @Option(
            names = "--port",
            defaultValue = "8010",
            paramLabel = "P",
            description = "Their port; 0: any free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--kept",
            hidden = true,
            paramLabel = "FOLDER",
            description = "Without --bootstrap, answers are kept here across restarts. Default: ~/.tailrace/kept.")
    private Path kept;

    @Option(
            names = "--engine-class",
            hidden = true,
            defaultValue = "default",
            paramLabel = "NAME",
            description =
                    "Name of this kind of hardware: engines of one class share a cost curve. Default: ${DEFAULT-VALUE}.")
    private String engineClass;

    @Option(
            names = "--fixed-floor",
            hidden = true,
            paramLabel = "P",
            description =
                    "Drafts all tokens that are at least so likely, 0 to 1, instead of what pays in the engine; for comparisons.")
    private Float fixedFloor;

    @Mixin
    private FleetArguments fleet = new FleetArguments();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (fleet.kafka().isEmpty() && fleet.hasStore()) {
            throw new BadInputException(
                    "--store needs --bootstrap: an agent alone drafts from the answers that it keeps in --kept");
        }
        fleet.check();
        AgentOptions options = options();
        fleet.sayWhoIsAway(spec.commandLine().getErr());
        LOG.info("warmed up by {} steps", WarmUp.run(WARM_UP.toNanos()));
        try (Interruption interruption = Interruption.install();
                Agent agent = Agent.start(options)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("engines connect at " + agent.address());
            out.println("status and metrics at http://%s:%d/".formatted(host, agent.port()));
            out.flush();
            while (!interruption.await(LOOK_MILLIS)) {
                if (!agent.live()) {
                    LOG.error("the agent ends; it must be started again");
                    return ExitCodes.FELL_SHORT;
                }
            }
            return ExitCodes.DONE;
        }
    }

    private AgentOptions options() {
        boolean alone = fleet.kafka().isEmpty();
        try {
            return new AgentOptions(
                    fleet.name(),
                    ListenAddress.parse(
                            listen == null
                                    ? WorkFolder.ofUser().resolve("agent.sock").toString()
                                    : listen),
                    scope == null ? (alone ? SCOPE_ALONE : "") : scope,
                    this::client,
                    budgets(),
                    alone ? Optional.of(kept == null ? WorkFolder.ofUser().resolve("kept") : kept) : Optional.empty(),
                    spools(),
                    host,
                    port);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }

    private Optional<ModelSpools> spools() {
        return fleet.reporting()
                .flatMap(ReportingOptions::spool)
                .map(folder -> new ModelSpools(
                        folder,
                        ofModel -> fleet.reporting(ofModel.getFileName().toString())
                                .orElseThrow()
                                .openLeft(fleet.name())));
    }

    private Supplier<BudgetChoice> budgets() {
        if (fixedFloor == null) {
            return BudgetChoice::measured;
        }
        float floor = fixedFloor;
        BudgetChoice.fixed(floor);
        return () -> BudgetChoice.fixed(floor);
    }

    private ClientOptions client(ServedModel model) {
        return new ClientOptions(
                fleet.name(),
                engineClass,
                model,
                fleet.follow(),
                Optional.empty(),
                fleet.reporting(URLEncoder.encode(model.model() + "@" + model.revision(), StandardCharsets.UTF_8)));
    }
}
