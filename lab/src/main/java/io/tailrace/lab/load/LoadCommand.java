package io.tailrace.lab.load;

import io.tailrace.agent.command.Away;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FreshFrom;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.jobs.options.AdmissionArguments;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.BrokerOptions;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.KeyOptions;
import io.tailrace.terminal.Require;
import io.tailrace.terminal.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace load}: recorded requests, served by a worker without a model. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves recorded requests as load: a worker without a model that follows snapshots, drafts, compares"
                    + " drafts with the recorded answers, and reports generations and outcomes.",
            "Without --input it only follows snapshots.",
            "Ctrl-C or SIGTERM ends it in order."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace load --model llama@1,vocabulary=32000,tokenizer=t --input day.jsonl.gz --bootstrap kafka:9092"
                    + " ..."
        })
public final class LoadCommand implements Callable<Integer> {
    @Mixin
    private BrokerOptions brokers = new BrokerOptions();

    @Mixin
    private KeyOptions.Trusted keys = new KeyOptions.Trusted();

    @Option(
            names = "--store",
            required = true,
            paramLabel = "URI",
            description = "Where the job puts segments: a folder, file:, s3:, http: or https:.")
    private URI store;

    @Option(
            names = "--model",
            required = true,
            converter = AdmissionArguments.ModelConverter.class,
            paramLabel = AdmissionArguments.ModelConverter.FORM,
            description = "The model, as the job was told.")
    private ModelCatalog.Model model;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Its name, unique in the fleet; producer of its generations. Default: the host's name.")
    private String name;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description =
                    "Recorded requests as JSON lines, plain or gzip; repeatable. Give each worker its own: request ids"
                            + " must differ. Default: none.")
    private List<Path> inputs = new ArrayList<>();

    @Option(
            names = "--scope",
            defaultValue = RecordedInputOptions.SCOPE_DEFAULT,
            paramLabel = "NAME",
            description = "Scope of requests that name none. Default: ${DEFAULT-VALUE}.")
    private String scope;

    @Bounds(min = 1)
    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Ends after so many requests. Default: all of the input.")
    private Long requests;

    @Bounds(min = 0, above = true)
    @Option(
            names = "--pace",
            defaultValue = "2.5",
            paramLabel = "R",
            description = "Requests a second. Default: ${DEFAULT-VALUE}, as a real server.")
    private double pace;

    @Bounds(min = 0, max = DraftPolicy.BUDGET_MAX)
    @Option(
            names = "--budget",
            defaultValue = "16",
            paramLabel = "N",
            description = "Most draft tokens a verification; a lane's policy may say less. Default: ${DEFAULT-VALUE}.")
    private int budget;

    @Option(
            names = "--own-context",
            hidden = true,
            description = "Also measure what drafting from each request's own context alone gives. Default: off.")
    private boolean ownContext;

    @Option(
            names = "--cache",
            hidden = true,
            defaultValue = ".tailrace/cache",
            paramLabel = "FOLDER",
            description =
                    "Local folder for segment files; workers of one machine may share it. Default: ${DEFAULT-VALUE}.")
    private Path cache;

    @Option(
            names = "--fresh-from",
            hidden = true,
            defaultValue = "fleet",
            paramLabel = "fleet|own",
            description =
                    "Whose answers to draft from before a snapshot has them: the whole fleet's, by topic admitted, or"
                            + " this worker's own only. Default: ${DEFAULT-VALUE}.")
    private FreshFrom freshFrom;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            paramLabel = "ADDRESS",
            description = "Where /metrics and /health answer; in a container 0.0.0.0. Default: ${DEFAULT-VALUE}.")
    private String host;

    @Bounds(min = -1, max = 65_535)
    @Option(
            names = "--port",
            defaultValue = "9464",
            paramLabel = "P",
            description = "Their port; 0: any free one; -1: none. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        LoadProcess process = new LoadProcess(options());
        new KafkaAccess(brokers.bootstrap(), brokers.topicPrefix(), brokers.clientSettings()).requireReachable();
        Away.tell(
                () -> TailraceClient.unreachableStore(store), spec.commandLine().getErr());
        try (Interruption interruption = Interruption.install()) {
            interruption.onInterrupt(process::stop);
            LoadProcess.Summary summary =
                    process.run(bad -> out.println("skipped: " + bad.getMessage()), (worker, request, served) -> {});
            print(summary, out);
            JsonFile.write(json, toJson(summary));
            boolean complete = summary.badLines() == 0 && summary.reportFailures() == 0;
            return complete ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }

    private String name() throws UnknownHostException {
        return name == null ? InetAddress.getLocalHost().getHostName() : name;
    }

    private LoadProcess.Options options() throws UnknownHostException {
        JsonFile.check(json);
        if (port != LoadProcess.Options.NO_METRICS) {
            Require.freePort("--port", host, port);
        }
        for (Path input : inputs) {
            if (!Files.isReadable(input)) {
                throw new BadInputException("--input " + input + ": there is no such file, or it cannot be read");
            }
        }
        try {
            return build();
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }

    private LoadProcess.Options build() throws UnknownHostException {
        ServedModel served =
                new ServedModel(model.model(), model.revision(), model.vocabularySize(), model.tokenizerFingerprint());
        KafkaAccess access = new KafkaAccess(brokers.bootstrap(), brokers.topicPrefix(), brokers.clientSettings());
        LoadWorker.Serving serving =
                LoadWorker.Serving.defaults().withBudgetMax(budget).withMeasureOwnContext(ownContext);
        LoadWorker.Options options = LoadWorker.Options.of(
                        name(),
                        served,
                        access,
                        FollowOptions.of(store, cache)
                                .withFreshFrom(freshFrom)
                                .withTrustedKeys(TrustedKeys.read(keys.files())))
                .withServing(serving);
        PacedLoad.Pace paceOptions = PacedLoad.Pace.ofRealServers(1)
                .withRequestsPerSecond(pace)
                .withRequestsMax(requests == null ? Long.MAX_VALUE : requests);
        return new LoadProcess.Options(
                options,
                inputs,
                RecordedInputOptions.of(served.vocabularySize()).withScopeDefault(scope),
                paceOptions,
                host,
                port);
    }

    private static void print(LoadProcess.Summary summary, PrintWriter out) {
        Table table = new Table("lane", "requests", "tokens/step", "version", "loads", "failed", "freshness p99 ms");
        for (LoadWorker.LaneView view : summary.views()) {
            table.row(
                    view.lane(),
                    view.totals().requests(),
                    view.tokensPerStep(),
                    view.state().loadedVersion(),
                    view.state().loads(),
                    view.state().failures(),
                    view.state().freshnessP99Millis());
        }
        table.print(out);
        out.println("%,d requests dealt, %,d served, %,d bad lines, %,d reports lost"
                .formatted(
                        summary.served().dealt(),
                        summary.served().served(),
                        summary.badLines(),
                        summary.reportFailures()));
        out.flush();
    }

    private static Map<String, Object> toJson(LoadProcess.Summary summary) throws IOException {
        List<Map<String, Object>> lanes = new ArrayList<>();
        for (LoadWorker.LaneView view : summary.views()) {
            Map<String, Object> lane = new LinkedHashMap<>();
            lane.put("lane", view.lane());
            lane.put("requests", view.totals().requests());
            lane.put("tokensPerStep", view.tokensPerStep());
            lane.put("snapshotVersion", view.state().loadedVersion());
            lane.put("loads", view.state().loads());
            lane.put("loadFailures", view.state().failures());
            lane.put("freshnessP99Millis", view.state().freshnessP99Millis());
            lanes.add(lane);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("requests", summary.served().served());
        all.put("badLines", summary.badLines());
        all.put("reportsLost", summary.reportFailures());
        all.put("lanes", lanes);
        return all;
    }
}
