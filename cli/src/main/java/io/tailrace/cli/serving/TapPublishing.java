package io.tailrace.cli.serving;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.report.Reporter;
import io.tailrace.jobs.options.Bounds;
import io.tailrace.jobs.options.KafkaClientOptions;
import io.tailrace.tap.proxy.KeptLimits;
import io.tailrace.tap.publish.PublishOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** As what a tap publishes answers, and where. */
@Command(optionListHeading = "Publishing")
final class TapPublishing {
    private static final Duration REPORT_TIME_MAX = Duration.ofSeconds(10);
    private static final String TOKENIZER = "tokenizer.json";

    @Option(
            names = "--bootstrap",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Kafka brokers to begin with, separated by commas.")
    private String bootstrap;

    @Option(
            names = "--served-model",
            required = true,
            paramLabel = "NAME[@REVISION]",
            description =
                    "How the fleet calls the model. Answers of other models are forwarded, not published. Default of the revision: main.")
    private String servedModel;

    @Option(
            names = "--scope",
            paramLabel = "NAME",
            description = "Scope of all requests. Either this or --scope-header must be given.")
    private String scope;

    @Option(
            names = "--scope-header",
            paramLabel = "NAME",
            description =
                    "Request header that names the scope; only where a gateway sets or removes it. Answers to requests without it are not published.")
    private String scopeHeader;

    @Option(
            names = "--tokenizer",
            paramLabel = "FOLDER|FILE",
            description =
                    "The model's folder or its tokenizer.json, for answers without token ids. Default: those are not published.")
    private Path tokenizer;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Its name, unique in the fleet; producer of its generations. Default: the host's name.")
    private String name;

    @Mixin
    private KafkaClientOptions clients = new KafkaClientOptions();

    @Option(
            names = "--engine-model",
            hidden = true,
            paramLabel = "NAME",
            description = "How the server's answers call the model. Default: as --served-model, without its revision.")
    private String engineModel;

    @Option(
            names = "--spool",
            hidden = true,
            paramLabel = "FOLDER",
            description =
                    "Generations wait here until Kafka has them; one for each tap. Default: .tailrace/spool/NAME.")
    private Path spool;

    @Option(
            names = "--spool-bytes",
            hidden = true,
            defaultValue = "268435456",
            paramLabel = "BYTES",
            description = "Bound of that folder; the oldest generations go first. Default: ${DEFAULT-VALUE}.")
    private long spoolBytes;

    @Option(names = "--no-prompts", hidden = true, description = "Publish answers without their prompts. Default: off.")
    private boolean noPrompts;

    @Bounds(min = 1)
    @Option(
            names = "--request-bytes",
            hidden = true,
            defaultValue = "8388608",
            paramLabel = "BYTES",
            description =
                    "Answers to larger requests are not published; forwarded they are. Default: ${DEFAULT-VALUE}.")
    private int requestBytes;

    @Bounds(min = 1)
    @Option(
            names = "--answer-bytes",
            hidden = true,
            defaultValue = "33554432",
            paramLabel = "BYTES",
            description = "Larger answers are not published; forwarded they are. Default: ${DEFAULT-VALUE}.")
    private int answerBytes;

    @Bounds(min = 1)
    @Option(
            names = "--kept-bytes",
            hidden = true,
            defaultValue = "268435456",
            paramLabel = "BYTES",
            description =
                    "What may be kept in memory of all requests and answers until they are published. Default: ${DEFAULT-VALUE}.")
    private long keptBytes;

    PublishOptions options() {
        if ((scope == null) == (scopeHeader == null)) {
            throw new BadInputException(
                    "give --scope, the scope of all requests, or --scope-header, the header in which a gateway names it; one of the two");
        }
        String[] parts = servedModel.split("@", 2);
        try {
            ClientOptions.checkName("--name", name());
            return new PublishOptions(
                    name(),
                    parts[0],
                    parts.length == 2 ? parts[1] : "main",
                    engineModel == null ? parts[0] : engineModel,
                    Optional.ofNullable(scope),
                    !noPrompts,
                    Math.max(requestBytes, answerBytes));
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }

    Optional<String> scopeHeader() {
        return Optional.ofNullable(scopeHeader);
    }

    KeptLimits kept() {
        return new KeptLimits(requestBytes, answerBytes, keptBytes);
    }

    /** Loaded from a folder, or from the folder of a file. */
    TapTokenizer tokenizer() {
        if (tokenizer == null) {
            return TapTokenizer.none();
        }
        Path folder = Files.isDirectory(tokenizer)
                ? tokenizer
                : tokenizer.toAbsolutePath().getParent();
        boolean named = Files.isDirectory(tokenizer)
                || tokenizer.getFileName().toString().equals(TOKENIZER);
        if (!named || !Files.isRegularFile(folder.resolve(TOKENIZER))) {
            throw new BadInputException(
                    "--tokenizer %s: give a folder with a tokenizer.json in it, or that file".formatted(tokenizer));
        }
        return TapTokenizer.load(folder);
    }

    Reporter reporter() throws IOException {
        KafkaAccess kafka = new KafkaAccess(bootstrap, clients.topicPrefix(), clients.settings());
        Path folder = spool == null ? Path.of(".tailrace", "spool", name()) : spool;
        try {
            return new ReportingOptions(kafka, Optional.of(folder), spoolBytes, !noPrompts, REPORT_TIME_MAX)
                    .open(name());
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--spool-bytes: " + e.getMessage(), e);
        }
    }

    private String name() {
        try {
            return name == null ? InetAddress.getLocalHost().getHostName() : name;
        } catch (UnknownHostException e) {
            throw new BadInputException("--name is missing, and this host does not know its own name", e);
        }
    }
}
