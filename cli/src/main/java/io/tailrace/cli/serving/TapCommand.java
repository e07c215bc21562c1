package io.tailrace.cli.serving;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.Interruption;
import io.tailrace.cli.terminal.Require;
import io.tailrace.client.report.Reporter;
import io.tailrace.jobs.options.Bounds;
import io.tailrace.tap.Tap;
import io.tailrace.tap.TapOptions;
import io.tailrace.tap.proxy.ProxyOptions;
import io.tailrace.tap.publish.AnswerTokenizer;
import io.tailrace.tap.publish.PublishOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
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
                    + " Kafka. For servers without an agent. Answers never wait for Kafka.",
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
            description = "The server: http://HOST:PORT or https://HOST:PORT, without a path.")
    private URI upstream;

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
            names = "--connections",
            hidden = true,
            defaultValue = "4096",
            paramLabel = "N",
            description = "Requests on their way to the server at once; more wait. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Bounds(min = 1)
    @Option(
            names = "--idle-seconds",
            hidden = true,
            defaultValue = "3600",
            paramLabel = "N",
            description = "How long client and server may say nothing within a request. Default: ${DEFAULT-VALUE}.")
    private int idleSeconds;

    @Bounds(min = 0)
    @Option(
            names = "--drain-seconds",
            hidden = true,
            defaultValue = "30",
            paramLabel = "N",
            description =
                    "How long requests may take that are on their way when it is told to end. Default: ${DEFAULT-VALUE}.")
    private int drainSeconds;

    @Mixin
    private TapPublishing publishing = new TapPublishing();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ProxyOptions proxy = proxy();
        PublishOptions published = publishing.options();
        Require.freePort("--port", host, port);
        Require.freePort("--operator-port", host, operatorPort);
        try (Interruption interruption = Interruption.install(CLOSING_TIME_MAX.plusSeconds(drainSeconds));
                TapTokenizer tokenizer = publishing.tokenizer();
                Reporter reporter = publishing.reporter();
                Tap tap = Tap.start(options(proxy, published, tokenizer.tokenizer()), reporter)) {
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
                    publishing.scopeHeader(),
                    connections,
                    Duration.ofSeconds(idleSeconds),
                    Duration.ofSeconds(drainSeconds),
                    publishing.kept());
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--upstream: " + e.getMessage(), e);
        }
    }

    private TapOptions options(ProxyOptions proxy, PublishOptions published, Optional<AnswerTokenizer> tokenizer) {
        return new TapOptions(proxy, published, tokenizer, operatorPort, TapOptions.WAITING_MAX);
    }
}
