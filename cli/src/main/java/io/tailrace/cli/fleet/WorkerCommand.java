package io.tailrace.cli.fleet;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.KafkaClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FreshFrom;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace worker}: one worker as a process of its own. */
@Command(
        name = "worker",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves a model over HTTP, as OpenAI does, and drafts. With Kafka it follows the fleet's snapshots and reports"
                    + " generations and outcomes.",
            "Ctrl-C or SIGTERM ends it in order."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace worker --model models/tinystories-656k",
            "  tailrace worker --model models/llama-3b --bootstrap kafka:9092 --store http://store/segments/"
        })
public final class WorkerCommand implements Callable<Integer> {
    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description = "Kafka brokers to begin with, separated by commas. Default: none, alone.")
    private String bootstrap;

    @Mixin
    private KafkaClientOptions kafka;

    @Option(
            names = "--store",
            paramLabel = "URI",
            description = "Where the job puts segments: a folder, file:, http: or https:. Required with --bootstrap.")
    private URI store;

    @Option(
            names = "--model",
            required = true,
            paramLabel = "FOLDER",
            description = "The model's folder, as from Hugging Face.")
    private String model;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Its name, unique in the fleet; producer of its generations. Default: the host's name.")
    private String name;

    @Option(
            names = "--scope",
            defaultValue = "default",
            paramLabel = "NAME",
            description = "Scope of requests that name none. Default: ${DEFAULT-VALUE}.")
    private String scope;

    @Option(
            names = "--budget",
            defaultValue = "16",
            paramLabel = "N",
            description =
                    "Most draft tokens a verification, 0 to 64; a lane's policy may say less. Default: ${DEFAULT-VALUE}.")
    private int budget;

    @Option(
            names = "--cache",
            defaultValue = ".tailrace/cache",
            paramLabel = "FOLDER",
            description =
                    "Local folder for segment files; workers of one machine may share it. Default: ${DEFAULT-VALUE}.")
    private Path cache;

    @Option(
            names = "--fresh-from",
            defaultValue = "fleet",
            paramLabel = "fleet|own",
            description =
                    "Whose answers to draft from before a snapshot has them: the whole fleet's, by topic admitted, or this"
                            + " worker's own only. Default: ${DEFAULT-VALUE}.")
    private FreshFrom freshFrom;

    @Mixin
    private ServeOptions serve;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Path folder = Path.of(model);
        if (!Files.isDirectory(folder)) {
            throw new BadInputException(
                    "--model %s: there is no such folder; give the model's folder as downloaded, with config.json in it"
                            .formatted(model));
        }
        refuseKafkaOptions();
        return serve.run(settings(folder), given(), out);
    }

    private ServeOptions.Settings settings(Path folder) throws UnknownHostException {
        Optional<KafkaAccess> access = bootstrap == null
                ? Optional.empty()
                : Optional.of(new KafkaAccess(bootstrap, kafka.topicPrefix(), kafka.clientSettings()));
        return new ServeOptions.Settings(
                folder, name(), access, Optional.ofNullable(store), cache, freshFrom, scope, budget);
    }

    private String name() throws UnknownHostException {
        return name == null ? InetAddress.getLocalHost().getHostName() : name;
    }

    private GivenOptions given() {
        return new GivenOptions(spec.commandLine().getParseResult());
    }

    /** A worker that serves without Kafka follows nothing and reports nothing. */
    private void refuseKafkaOptions() {
        if (bootstrap != null) {
            return;
        }
        given().refuse(
                        "does nothing without Kafka; give --bootstrap, too, or leave it out",
                        "--store",
                        "--spool",
                        "--spool-bytes",
                        "--no-prompts",
                        "--topic-prefix",
                        "--client-config",
                        "--client-property");
        if (freshFrom == FreshFrom.FLEET) {
            given().refuse(
                            "fleet does nothing without Kafka, by which the fleet's answers come; give --bootstrap, too, or say own",
                            "--fresh-from");
        }
    }
}
