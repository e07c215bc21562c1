package io.tailrace.cli.fleet;

import io.tailrace.cli.options.DeviceOptions;
import io.tailrace.cli.options.ServedDraftOptions;
import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.Failures;
import io.tailrace.cli.terminal.Interruption;
import io.tailrace.cli.terminal.Require;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FollowedLanes;
import io.tailrace.client.follow.FreshFrom;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.worker.device.DeviceChoice;
import io.tailrace.worker.device.ServingDevice;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.ApiKeys;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.serve.ServingProcess;
import io.tailrace.worker.serve.ServingWorkerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** What a worker that serves a model can be told, and running it. */
final class ServeOptions {
    /** Of everything that is closed once requests are answered: clients, Kafka, the model. */
    private static final Duration CLOSING_TIME_MAX = Duration.ofSeconds(60);

    @Option(
            names = "--served-model",
            paramLabel = "NAME[@REVISION]",
            description = "How the fleet calls the model. Default: the folder's name, revision main.")
    private String servedModel;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            paramLabel = "ADDRESS",
            description =
                    "Where the API, /metrics and /health answer; in a container 0.0.0.0. Default: ${DEFAULT-VALUE}.")
    private String host;

    @Option(
            names = "--port",
            defaultValue = "8000",
            paramLabel = "P",
            description = "Their port; 0: any free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--api-key-file",
            paramLabel = "FILE",
            description =
                    "Keys that clients must give, a line 'KEY' or 'KEY SCOPE' each. Default: no key is asked for.")
    private Path apiKeyFile;

    @Option(
            names = "--scope-header",
            paramLabel = "NAME",
            description = "Request header that names the scope; only where a gateway sets it. Default: none.")
    private String scopeHeader;

    @Mixin
    private DeviceOptions device = new DeviceOptions();

    @Option(
            names = "--device-bytes",
            defaultValue = "0",
            paramLabel = "BYTES",
            description = "With drafts on a GPU, most bytes of all lanes' segments there; "
                    + "0: a quarter of what is free once the model is loaded. Default: 0.")
    private long deviceBytes;

    @Option(
            names = "--context-tokens",
            defaultValue = "0",
            paramLabel = "N",
            description = "Most tokens of a prompt and its answer; 0: what the model was trained for. Default: 0.")
    private int contextTokens;

    @Option(
            names = "--cache-tokens",
            defaultValue = "16384",
            paramLabel = "N",
            description = "Room of the KV cache, in tokens of all requests. Default: ${DEFAULT-VALUE}.")
    private int cacheTokens;

    @Option(
            names = "--batch",
            defaultValue = "8",
            paramLabel = "N",
            description = "Requests decoded at once. Default: ${DEFAULT-VALUE}.")
    private int batch;

    @Option(
            names = "--queue",
            defaultValue = "64",
            paramLabel = "N",
            description = "Requests that may wait; more get 429. Default: ${DEFAULT-VALUE}.")
    private int queue;

    @Option(
            names = "--prompt-tokens-max",
            defaultValue = "0",
            paramLabel = "N",
            description = "Longest prompt; 0: what the context has room for. Default: 0.")
    private int promptTokens;

    @Option(
            names = "--output-tokens-max",
            defaultValue = "0",
            paramLabel = "N",
            description =
                    "Longest answer; 0: what there is room for, and --cache-tokens / --batch where none is asked for. Default: 0.")
    private int outputTokens;

    @Option(
            names = "--prefill-tokens",
            defaultValue = "256",
            paramLabel = "N",
            description = "Prompt tokens a step, over all requests. Default: ${DEFAULT-VALUE}.")
    private int prefillTokens;

    @Mixin
    private ServedDraftOptions drafting = new ServedDraftOptions();

    @Option(
            names = "--snapshot-dir",
            paramLabel = "FOLDER",
            description = "Without Kafka: segments of one snapshot to draft from. Default: none.")
    private Path snapshotFolder;

    @Option(
            names = "--wait-for-snapshot",
            description = "Not ready before a snapshot is loaded, from Kafka or --snapshot-dir. Default: off.")
    private boolean waitForSnapshot;

    @Option(
            names = "--fresh-tokens",
            defaultValue = "1000000",
            paramLabel = "N",
            description =
                    "Answers of a scope to draft from until a snapshot has them, in tokens. Default: ${DEFAULT-VALUE}.")
    private int freshTokens;

    @Option(
            names = "--fresh-tokens-all",
            paramLabel = "N",
            description =
                    "The same of all scopes together, each answer counted as 16 more than it has; above it the scope used"
                            + " longest ago gives up its oldest. Default: 16000000, or --fresh-tokens if that is more.")
    private Long freshTokensAll;

    @Option(
            names = "--spool",
            paramLabel = "FOLDER",
            description = "Reports wait here until Kafka has them; one for each worker. Default: .tailrace/spool/NAME.")
    private Path spool;

    @Option(
            names = "--spool-bytes",
            defaultValue = "268435456",
            paramLabel = "BYTES",
            description = "Bound of that folder; the oldest reports go first. Default: ${DEFAULT-VALUE}.")
    private long spoolBytes;

    @Option(names = "--no-prompts", description = "Report answers without their prompts. Default: off.")
    private boolean noPrompts;

    @Option(
            names = "--drain-seconds",
            defaultValue = "30",
            paramLabel = "N",
            description =
                    "How long requests may take that are being answered when it is told to end. Default: ${DEFAULT-VALUE}.")
    private int drainSeconds;

    /**
     * What the worker command itself knows.
     *
     * @param folder of the model
     * @param name the worker's
     * @param kafka empty: alone
     * @param store where segments come from
     * @param cache for them
     * @param freshFrom whose answers to draft from before a snapshot has them
     * @param scope of requests that name none
     * @param budget most draft tokens a verification
     */
    record Settings(
            Path folder,
            String name,
            Optional<KafkaAccess> kafka,
            Optional<URI> store,
            Path cache,
            FreshFrom freshFrom,
            String scope,
            int budget) {}

    /** Serves until it is told to end; returns the exit code. */
    int run(Settings settings, GivenOptions given, PrintWriter out) throws IOException, InterruptedException {
        check(settings);
        refuseUnused(settings, given);
        try (Interruption interruption = Interruption.install(CLOSING_TIME_MAX.plusSeconds(drainSeconds))) {
            DeviceChoice choice = device.choose(drafting.strategy());
            LanguageModel model = device.load(settings.folder(), contextTokens, cacheTokens);
            ServingProcess process = process(settings, model);
            interruption.onInterrupt(process::stop);
            EngineOptions engine = engine(settings);
            ServingDevice drafts = ServingDevice.open(
                    choice,
                    engine.batchMax(),
                    engine.budgetMax(),
                    model.target().contextTokensMax(),
                    deviceBytes);
            out.println("device " + drafts.description());
            boolean well = process.run(model, drafts.drafts(), bound -> {
                out.println("%s at http://%s:%d/v1".formatted(modelName(settings.folder()), host, bound));
                if (waitForSnapshot) {
                    out.println("not ready before a first snapshot; /health/ready says what is missing");
                }
                out.flush();
            });
            return well ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }

    /** A replay that is given one of these options means something that would not happen. */
    void refuseWhereUnused(GivenOptions given) {
        given.refuse(
                "is for serving: --model must be a model's folder",
                CommandSpec.forAnnotatedObject(new ServeOptions()).options().stream()
                        .map(OptionSpec::longestName)
                        .toList());
    }

    /** Options that the other options leave without effect. */
    private void refuseUnused(Settings settings, GivenOptions given) {
        String strategy = drafting.strategy();
        if (!drafting.draftOptions().drafts()) {
            given.refuse("does nothing with --strategy none, which drafts nothing", "--budget", "--whole-drafts");
        }
        if (!drafting.draftOptions().fromAnswers()) {
            given.refuse(
                    "does nothing with --strategy %s, which drafts from no answers".formatted(strategy),
                    "--snapshot-dir",
                    "--fresh-from",
                    "--fresh-tokens",
                    "--fresh-tokens-all");
        }
        if (freshTokens == 0) {
            given.refuse(
                    "does nothing with --fresh-tokens 0, by which no answers are kept",
                    "--fresh-from",
                    "--fresh-tokens-all");
        }
        if (apiKeyFile != null) {
            given.refuse("does nothing with --api-key-file, whose keys name the scopes", "--scope-header");
        }
        if (device.cpu() || !strategy.equals(DeviceOptions.DRAFTING)) {
            given.refuse(
                    "does nothing where nothing drafts on a GPU: with --device cpu, or another strategy than adaptive",
                    "--device-bytes");
        }
        if (device.cpu() && settings.kafka().isEmpty()) {
            given.refuse("does nothing without Kafka; give --bootstrap, too, or leave it out", "--cache");
        }
    }

    private void check(Settings settings) {
        Require.port("--port", port);
        Require.atLeast("--drain-seconds", 0, drainSeconds);
        if (deviceBytes < 0) {
            throw new BadInputException("--device-bytes must be at least 0, got " + deviceBytes);
        }
        drafting.draftOptions();
        try {
            ClientOptions.checkName("--name", settings.name());
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
        if (settings.kafka().isPresent() && settings.store().isEmpty()) {
            throw new BadInputException("--bootstrap needs --store, or snapshots could not be fetched");
        }
        if (settings.kafka().isPresent() && snapshotFolder != null) {
            throw new BadInputException("--snapshot-dir is for a worker without Kafka; leave out --bootstrap or it");
        }
        if (waitForSnapshot && settings.kafka().isEmpty() && snapshotFolder == null) {
            throw new BadInputException(
                    "--wait-for-snapshot waits for ever without --bootstrap or --snapshot-dir; no snapshot can come");
        }
        if (snapshotFolder != null) {
            checkSnapshotFolder();
        }
        Require.atLeast("--fresh-tokens", 0, freshTokens);
        Require.atLeast("--fresh-tokens-all", 1, freshTokensAll == null ? 1 : freshTokensAll);
    }

    /** It is read once, at the start: what is missing then will not come. */
    private void checkSnapshotFolder() {
        if (!Files.isDirectory(snapshotFolder)) {
            throw new BadInputException("--snapshot-dir %s: there is no such folder".formatted(snapshotFolder));
        }
        try {
            if (waitForSnapshot && FollowedLanes.segmentFiles(snapshotFolder).isEmpty()) {
                throw new BadInputException(
                        "--wait-for-snapshot waits for ever: --snapshot-dir %s has no segment (*.segment), and is read at the start only"
                                .formatted(snapshotFolder));
            }
        } catch (IOException | UncheckedIOException e) {
            throw new BadInputException("--snapshot-dir: " + Failures.message(e), e);
        }
    }

    private ServingProcess process(Settings settings, LanguageModel model) throws IOException {
        try {
            return new ServingProcess(worker(settings, model), endpoint(settings), Duration.ofSeconds(drainSeconds));
        } catch (IllegalArgumentException | IOException e) {
            model.close();
            throw new BadInputException(e.getMessage(), e);
        }
    }

    private ServingWorkerOptions worker(Settings settings, LanguageModel model) {
        String[] name = modelName(settings.folder()).split("@", 2);
        ServedModel served = new ServedModel(
                name[0],
                name.length == 2 ? name[1] : "main",
                model.target().vocabularySize(),
                model.tokenizer().fingerprint());
        FollowOptions follow = FollowOptions.of(
                        settings.store().orElse(settings.cache().toUri()), settings.cache())
                .withFreshTokensMax(freshTokens)
                .withFreshTokensAllMax(
                        freshTokensAll == null ? Math.max(FollowOptions.FRESH_TOKENS_ALL, freshTokens) : freshTokensAll)
                .withFreshFrom(settings.freshFrom());
        return new ServingWorkerOptions(
                settings.name(),
                device.workerClass(),
                served,
                engine(settings),
                drafting.draftOptions(),
                follow,
                Optional.ofNullable(snapshotFolder),
                waitForSnapshot,
                settings.kafka().map(access -> reporting(settings, access)));
    }

    private EngineOptions engine(Settings settings) {
        return new EngineOptions(batch, queue, promptTokens, outputTokens, prefillTokens, settings.budget());
    }

    private ReportingOptions reporting(Settings settings, KafkaAccess access) {
        Path folder = spool == null ? Path.of(".tailrace", "spool", settings.name()) : spool;
        return new ReportingOptions(access, Optional.of(folder), spoolBytes, !noPrompts, Duration.ofSeconds(10));
    }

    private EndpointOptions endpoint(Settings settings) throws IOException {
        Map<String, String> keys = apiKeyFile == null ? Map.of() : keys(settings.scope());
        EndpointOptions defaults = EndpointOptions.defaults();
        return new EndpointOptions(
                host, port, defaults.requestBytesMax(), batch + queue + 64, settings.scope(), scopeHeader, keys);
    }

    private Map<String, String> keys(String scope) {
        try {
            return ApiKeys.read(apiKeyFile, scope);
        } catch (IOException | IllegalArgumentException e) {
            throw new BadInputException("--api-key-file: " + Failures.message(e), e);
        }
    }

    private String modelName(Path folder) {
        return servedModel == null
                ? folder.toAbsolutePath().normalize().getFileName().toString()
                : servedModel;
    }
}
