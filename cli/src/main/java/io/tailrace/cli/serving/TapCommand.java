package io.tailrace.cli.serving;

import io.tailrace.agent.command.Away;
import io.tailrace.agent.command.ReportingArguments;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.report.Reporter;
import io.tailrace.tap.PublishOptions;
import io.tailrace.tap.Tap;
import io.tailrace.tap.proxy.ProxyOptions;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.BrokerAddresses;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.Require;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace tap}: forwards requests to a server and publishes what it answered, until it is told to end. */
@Command(
        name = "tap",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Stands before a server that speaks OpenAI's API, forwards everything untouched, and publishes the answers' token ids to"
                    + " Kafka. For servers that no agent drafts for. Answers never wait for Kafka.",
            "Ctrl-C or SIGTERM ends it in order."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace tap --upstream http://vllm:8000 --served-model llama-3b --bootstrap kafka:9092 --scope chat",
            "  tailrace tap --upstream http://llama:8080 --served-model llama-3b --bootstrap kafka:9092 --scope chat"
                    + " --tokenizer models/llama-3b"
        })
public final class TapCommand implements Callable<Integer> {
    /** Of what is left to publish, the operators' page and Kafka, once requests have ended. */
    private static final Duration CLOSING_TIME_MAX = Duration.ofSeconds(30);

    @Option(
            names = "--upstream",
            required = true,
            paramLabel = "URL",
            description = "The server: http://HOST:PORT, without a path.")
    private URI upstream;

    @Option(
            names = "--served-model",
            required = true,
            paramLabel = "NAME[@REVISION]",
            description =
                    "How the fleet and the server's answers call the model; answers of others are not published. Default of the revision: main.")
    private String servedModel;

    @Option(
            names = "--tokenizer",
            paramLabel = "FOLDER",
            description =
                    "The model's folder, with tokenizer.json and chat template, for answers without token ids. Default: those are not published.")
    private Path tokenizer;

    @Mixin
    private ScopeArguments scopes = new ScopeArguments();

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            paramLabel = "ADDRESS",
            description = "Where clients connect, and operators; in a container 0.0.0.0. Default: ${DEFAULT-VALUE}.")
    private String host;

    @Bounds(min = 0, max = 65_535)
    @Option(
            names = "--port",
            defaultValue = "8020",
            paramLabel = "P",
            description = "The clients' port; 0: any free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Bounds(min = 0, max = 65_535)
    @Option(
            names = "--operator-port",
            defaultValue = "8021",
            paramLabel = "P",
            description = "Port of /metrics and /health; 0: any free one. Default: ${DEFAULT-VALUE}.")
    private int operatorPort;

    @Bounds(min = 1)
    @Option(
            names = "--kept-bytes",
            hidden = true,
            defaultValue = "" + ProxyOptions.KEPT_BYTES_MAX,
            paramLabel = "BYTES",
            description =
                    "Room in memory for requests and answers until they are published; what has none is forwarded all the same. Default: ${DEFAULT-VALUE}.")
    private long keptBytes;

    @Bounds(min = 0)
    @Option(
            names = "--drain-seconds",
            hidden = true,
            defaultValue = "30",
            paramLabel = "N",
            description =
                    "How long requests may take that are being answered when it is told to end. Default: ${DEFAULT-VALUE}.")
    private int drainSeconds;

    @Option(
            names = "--bootstrap",
            converter = BrokerAddresses.class,
            required = true,
            paramLabel = "HOST:PORT",
            description = "Kafka brokers to begin with, separated by commas.")
    private String bootstrap;

    @Mixin
    private ReportingArguments reports = new ReportingArguments();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        reports.check();
        ProxyOptions proxy = proxy();
        KafkaAccess kafka = reports.kafka(bootstrap);
        ReportingOptions reporting = reports.reporting(kafka, "");
        Require.freePort("--port", host, port);
        Require.freePort("--operator-port", host, operatorPort);
        Away.tell(kafka::unreachable, spec.commandLine().getErr());
        try (Interruption interruption = Interruption.install(CLOSING_TIME_MAX.plusSeconds(drainSeconds));
                TapTokenizer texts = tokenizer == null ? TapTokenizer.none() : TapTokenizer.load(tokenizer);
                Reporter reporter = reporting.open(reports.name());
                Tap tap = Tap.start(proxy, operatorPort, published(texts), reporter)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("clients connect at http://%s:%d, forwarded to %s".formatted(host, tap.port(), upstream));
            out.println("metrics at http://%s:%d/metrics".formatted(host, tap.operatorPort()));
            out.flush();
            interruption.await();
            return ExitCodes.DONE;
        }
    }

    private ProxyOptions proxy() {
        try {
            return new ProxyOptions(
                    host,
                    port,
                    upstream,
                    scopes.rule(),
                    keptBytes,
                    ProxyOptions.REQUESTS_MAX,
                    ProxyOptions.BODY_PAUSE_MAX,
                    ProxyOptions.IDLE_TIME_MAX,
                    Duration.ofSeconds(drainSeconds));
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--upstream: " + e.getMessage(), e);
        }
    }

    private PublishOptions published(TapTokenizer texts) {
        String[] parts = servedModel.split("@", 2);
        try {
            return new PublishOptions(
                    reports.name(),
                    parts[0],
                    parts.length == 2 ? parts[1] : "main",
                    reports.prompts(),
                    texts.tokenizer());
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--served-model: " + e.getMessage(), e);
        }
    }
}
