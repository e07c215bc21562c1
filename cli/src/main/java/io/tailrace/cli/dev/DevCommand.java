package io.tailrace.cli.dev;

import io.tailrace.cli.console.LocalConsole;
import io.tailrace.cli.serving.ModelArguments;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.local.LocalLoop;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.publishing.PublishingOptions;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.Require;
import io.tailrace.terminal.WorkFolder;
import io.tailrace.worker.device.DeviceChoice;
import io.tailrace.worker.device.ServingDevice;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.serve.DraftOptions;
import io.tailrace.worker.serve.ServingProcess;
import io.tailrace.worker.serve.ServingWorkerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace dev}: broker, job, store and a worker in one process. */
@Command(
        name = "dev",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs everything that an application needs in this process, until Ctrl-C: a Kafka broker, the index job, a store,"
                    + " the console's pages, and a worker that serves the model over HTTP. Says of each answer how much other answers sped it up.",
            "What it learned is kept; the next start goes on from it. It verifies whole drafts, where 'tailrace worker' first"
                    + " measures whether they pay."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  tailrace dev", "  tailrace dev --model models/tinystories-656k"})
public final class DevCommand implements Callable<Integer> {
    private static final String HOST = "127.0.0.1";
    private static final String NAME = "dev";
    private static final int BUDGET = 16;
    /** Requests beside those of the API: metrics, health. */
    private static final int OTHER_REQUESTS_MAX = 64;

    private static final Duration DRAIN_TIME_MAX = Duration.ofSeconds(10);
    private static final Duration CLOSING_TIME_MAX = Duration.ofSeconds(90);

    private final DevModelFolder modelFolder = new DevModelFolder();

    @Mixin
    private ModelArguments model = new ModelArguments(modelFolder);

    @Bounds(min = 1, max = 65_535)
    @Option(
            names = "--port",
            defaultValue = "8000",
            paramLabel = "P",
            description = "Port of the API. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Bounds(min = 1, max = 65_535)
    @Option(
            names = "--kafka-port",
            defaultValue = "9092",
            paramLabel = "P",
            description = "Port of the broker. Default: ${DEFAULT-VALUE}.")
    private int kafkaPort;

    @Bounds(min = 1, max = 65_535)
    @Option(
            names = "--dashboard-port",
            defaultValue = "8081",
            paramLabel = "P",
            description = "Port of Flink's dashboard. Default: ${DEFAULT-VALUE}.")
    private int dashboardPort;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "Everything that is kept. Default: .tailrace/dev/MODEL.")
    private Path folder;

    @Option(names = "--empty", description = "Forgets what the folder keeps. Default: goes on from it.")
    private boolean empty;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        modelFolder.prepare(out);
        model.check();
        requireHeap(Runtime.getRuntime().maxMemory());
        requirePorts();
        try (Interruption interruption = Interruption.install(CLOSING_TIME_MAX)) {
            say(out, "Loading the model ...");
            DeviceChoice choice = model.choose(DraftOptions.defaults().strategy());
            LanguageModel loaded = model.load();
            return run(loaded, choice, interruption, out);
        }
    }

    private int run(LanguageModel loaded, DeviceChoice choice, Interruption interruption, PrintWriter out)
            throws IOException, InterruptedException {
        ServedModel served = model.served(loaded);
        try (DevFolder kept = DevFolder.open(folder(served), served, empty)) {
            say(out, "Starting Kafka, Flink and the index job ...");
            try (LocalLoop loop = LocalLoop.start(loop(kept, served));
                    LocalConsole console = LocalConsole.start(loop)) {
                ServingDevice drafts = model.drafts(choice, model.engine(BUDGET), loaded);
                ServingProcess process = process(kept, served, loop, out);
                interruption.onInterrupt(process::stop);
                boolean well =
                        process.run(loaded, drafts.drafts(), bound -> introduce(kept, served, loop, console, out));
                say(out, "Stopping; what was learned is kept ...");
                return well ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
            }
        }
    }

    private LocalLoop.Options loop(DevFolder kept, ServedModel served) {
        ModelCatalog.Model only = new ModelCatalog.Model(
                served.model(), served.revision(), served.vocabularySize(), served.tokenizerFingerprint());
        return LocalLoop.Options.in(kept.path(), only)
                .withDashboardPort(dashboardPort)
                .withKeptState(kafkaPort);
    }

    private ServingProcess process(DevFolder kept, ServedModel served, LocalLoop loop, PrintWriter out) {
        ServingWorkerOptions worker = ServingWorkerOptions.alone(
                        NAME, served, FollowOptions.of(loop.store(), kept.path().resolve("cache")))
                .withEngine(model.engine(BUDGET))
                .withDrafts(new DraftOptions(DraftOptions.defaults().strategy(), false))
                .withReporting(ReportingOptions.of(
                        KafkaAccess.of(loop.bootstrap()), kept.path().resolve("spool")));
        EndpointOptions defaults = EndpointOptions.defaults();
        EndpointOptions endpoint = new EndpointOptions(
                HOST,
                port,
                defaults.requestBytesMax(),
                model.requestsMax() + OTHER_REQUESTS_MAX,
                defaults.scope(),
                null,
                Map.of());
        return new ServingProcess(worker, endpoint, DRAIN_TIME_MAX, new DevLines(out));
    }

    private void introduce(DevFolder kept, ServedModel served, LocalLoop loop, LocalConsole console, PrintWriter out) {
        String api = "http://%s:%d".formatted(HOST, port);
        String scope = EndpointOptions.defaults().scope();
        Publishers publishers = new Publishers(api, loop.bootstrap(), served, scope);
        publishers.writeTo(kept.path());
        say(out, """

                API                %s/v1   (metrics: %s/metrics)
                bootstrap servers  %s
                lane               %s
                tokenizer          %s, vocabulary %d
                console            %s
                dashboard          %s
                store              %s
                kept in            %s

                Ask the worker; what it answers is published:
                  %s

                Publish an answer that your own server gave:
                  python3 -m venv venv && venv/bin/pip install kafka-python
                  venv/bin/python3 %s PROMPT ANSWER
                  npm install kafkajs && node %s PROMPT ANSWER

                Ctrl-C ends it.
                """.formatted(
                        api,
                        api,
                        loop.bootstrap(),
                        served.lane(scope),
                        served.tokenizerFingerprint(),
                        served.vocabularySize(),
                        console.address(),
                        loop.dashboard(),
                        loop.store(),
                        kept.path(),
                        publishers.question(),
                        kept.path().resolve(Publishers.PYTHON),
                        kept.path().resolve(Publishers.JAVASCRIPT)));
    }

    private Path folder(ServedModel served) {
        return folder == null
                ? WorkFolder.home().resolve("dev").resolve(served.model().replace('/', '_'))
                : folder.toAbsolutePath();
    }

    /** The index job merges lanes in this process's heap. */
    static void requireHeap(long heapBytes) {
        long neededBytes = PublishingOptions.defaults().heapBytesMin();
        if (heapBytes < neededBytes) {
            throw new BadInputException(
                    "dev needs a heap of %d MiB, this process may have %d MiB; give more by TAILRACE_JAVA_OPTS=-Xmx%dm, or unset TAILRACE_JAVA_OPTS"
                            .formatted(mebibytes(neededBytes), heapBytes >> 20, mebibytes(neededBytes)));
        }
    }

    private static long mebibytes(long bytes) {
        return (bytes >> 20) + 1;
    }

    private void requirePorts() {
        Require.fixedPort("--port", HOST, port);
        Require.fixedPort("--kafka-port", HOST, kafkaPort);
        Require.fixedPort("--dashboard-port", HOST, dashboardPort);
    }

    private static void say(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }
}
