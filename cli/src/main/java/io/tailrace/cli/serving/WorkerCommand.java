package io.tailrace.cli.serving;

import io.tailrace.agent.command.FleetArguments;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Failures;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.Require;
import io.tailrace.worker.device.DeviceChoice;
import io.tailrace.worker.device.ServingDevice;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.ApiKeys;
import io.tailrace.worker.http.DraftVisibility;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.model.LanguageModel;
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

/** {@code tailrace worker}: serves a model until it is told to end. */
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
            "  tailrace worker --model models/llama-3b --bootstrap kafka:9092 --store s3://tailrace-segments/"
        })
public final class WorkerCommand implements Callable<Integer> {
    /** Of everything that is closed once requests are answered: clients, Kafka, the model. */
    private static final Duration CLOSING_TIME_MAX = Duration.ofSeconds(60);

    @Mixin
    private ModelArguments model = new ModelArguments(new GivenModelFolder());

    @Mixin
    private HttpArguments http = new HttpArguments();

    @Mixin
    private ServedDraftOptions drafting = new ServedDraftOptions();

    @Mixin
    private FleetArguments fleet = new FleetArguments();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        model.check();
        drafting.draftOptions();
        fleet.check();
        http.check();
        fleet.sayWhoIsAway(spec.commandLine().getErr());
        Duration endingTimeMax = CLOSING_TIME_MAX.plus(http.drainTime());
        try (Interruption interruption = Interruption.install(endingTimeMax)) {
            DeviceChoice choice = model.choose(drafting.strategy());
            LanguageModel loaded = model.load();
            ServingProcess process = process(loaded);
            interruption.onInterrupt(process::stop);
            return serve(process, loaded, model.drafts(choice, engine(), loaded));
        }
    }

    private int serve(ServingProcess process, LanguageModel loaded, ServingDevice drafts)
            throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.println("device " + drafts.description());
        boolean well = process.run(loaded, drafts.drafts(), port -> {
            out.println("%s at http://%s:%d/v1".formatted(model.name(), http.host(), port));
            if (waitsForSnapshot()) {
                out.println("not ready before a first snapshot; /health/ready says what is missing");
            }
            out.flush();
        });
        return well ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }

    private ServingProcess process(LanguageModel loaded) throws IOException {
        try {
            return new ServingProcess(options(loaded), http.endpoint(model.requestsMax()), http.drainTime());
        } catch (IllegalArgumentException | BadInputException e) {
            loaded.close();
            throw new BadInputException(e.getMessage(), e);
        }
    }

    private EngineOptions engine() {
        return model.engine(drafting.budget());
    }

    private ServingWorkerOptions options(LanguageModel loaded) {
        return new ServingWorkerOptions(
                fleet.name(),
                model.workerClass(),
                model.served(loaded),
                engine(),
                drafting.draftOptions(),
                fleet.follow(),
                fleet.snapshotFolder(),
                waitsForSnapshot(),
                fleet.reporting());
    }

    /** Whether it is not ready before it has a snapshot: only where one can come. */
    private boolean waitsForSnapshot() {
        return http.waitForSnapshot && fleet.hasStore();
    }

    /** Where and for whom the API answers. */
    @Command(optionListHeading = "HTTP")
    static final class HttpArguments {
        /** Requests beside those of the API: metrics, health. */
        private static final int OTHER_REQUESTS_MAX = 64;

        @Option(
                names = "--host",
                defaultValue = "127.0.0.1",
                paramLabel = "ADDRESS",
                description =
                        "Where the API, /metrics and /health answer; in a container 0.0.0.0. Default: ${DEFAULT-VALUE}.")
        private String host;

        @Bounds(min = 0, max = 65_535)
        @Option(
                names = "--port",
                defaultValue = "8000",
                paramLabel = "P",
                description = "Their port; 0: any free one. Default: ${DEFAULT-VALUE}.")
        private int port;

        @Bounds(min = 0, max = 65_535)
        @Option(
                names = "--operator-port",
                paramLabel = "P",
                description =
                        "Port of /metrics and /health for operators alone; 0: any free one. Callers get no /metrics"
                                + " then, which counts what was drafted. Default: they are at --port.")
        private Integer operatorPort;

        @Option(
                names = "--api-key-file",
                paramLabel = "FILE",
                description =
                        "Keys that clients must give, a line 'KEY' or 'KEY SCOPE' each. Default: no key is asked for.")
        private Path apiKeyFile;

        @Option(
                names = "--scope-header",
                hidden = true,
                paramLabel = "NAME",
                description =
                        "Request header that names the scope; only where a gateway sets it, and not beside --api-key-file, whose keys name the scopes. Default: none.")
        private String scopeHeader;

        @Option(
                names = "--scope",
                defaultValue = "default",
                paramLabel = "NAME",
                description = "Scope of requests that name none. Default: ${DEFAULT-VALUE}.")
        private String scope;

        @Option(
                names = "--request-reports",
                description =
                        "A caller may ask what drafting did for its request (tailrace.report), which tells it what"
                                + " its scope was answered. Default: no.")
        private boolean requestReports;

        @Bounds(min = 0, max = DraftVisibility.EVENT_MILLIS_MAX)
        @Option(
                names = "--event-millis",
                defaultValue = "0",
                paramLabel = "N",
                description =
                        "Hides drafting: streamed events have one token each and are N ms apart, and a whole answer"
                                + " comes when its last event would; more than a step takes. 0: tokens come when they are"
                                + " there. Default: ${DEFAULT-VALUE}.")
        private int eventMillis;

        @Option(
                names = "--wait-for-snapshot",
                hidden = true,
                description =
                        "Not ready before a snapshot is loaded, where --store says where one comes from. Default: off.")
        private boolean waitForSnapshot;

        @Bounds(min = 0)
        @Option(
                names = "--drain-seconds",
                hidden = true,
                defaultValue = "30",
                paramLabel = "N",
                description =
                        "How long requests may take that are being answered when it is told to end. Default: ${DEFAULT-VALUE}.")
        private int drainSeconds;

        void check() {
            if (apiKeyFile != null && scopeHeader != null) {
                throw new BadInputException(
                        "--scope-header does nothing with --api-key-file, whose keys name the scopes; leave one of them out");
            }
            if (requestReports && eventMillis > 0) {
                throw new BadInputException("--request-reports tells what --event-millis hides; leave one of them out");
            }
            Require.freePort("--port", host, port);
            if (operatorPort != null) {
                Require.freePort("--operator-port", host, operatorPort);
            }
        }

        EndpointOptions endpoint(int requestsMax) {
            return new EndpointOptions(
                            host,
                            port,
                            EndpointOptions.defaults().requestBytesMax(),
                            requestsMax + OTHER_REQUESTS_MAX,
                            scope,
                            scopeHeader,
                            apiKeyFile == null ? Map.of() : keys())
                    .withVisibility(new DraftVisibility(requestReports, eventMillis))
                    .withOperatorPort(operatorPort == null ? EndpointOptions.WITH_CALLERS : operatorPort);
        }

        private Map<String, String> keys() {
            try {
                return ApiKeys.read(apiKeyFile, "KEY or KEY SCOPE", scope);
            } catch (IOException | IllegalArgumentException e) {
                throw new BadInputException("--api-key-file: " + Failures.message(e), e);
            }
        }

        String host() {
            return host;
        }

        Duration drainTime() {
            return Duration.ofSeconds(drainSeconds);
        }
    }
}
