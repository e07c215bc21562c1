package io.tailrace.cli;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.Interruption;
import io.tailrace.cli.terminal.JsonFile;
import io.tailrace.cli.terminal.KafkaOptions;
import io.tailrace.cli.terminal.Require;
import io.tailrace.cli.terminal.Table;
import io.tailrace.cli.terminal.WorkFolder;
import io.tailrace.jobs.options.ModelConverter;
import io.tailrace.operators.admission.ModelSpec;
import io.tailrace.worker.KafkaAccess;
import io.tailrace.worker.LaneView;
import io.tailrace.worker.PaceOptions;
import io.tailrace.worker.ServingOptions;
import io.tailrace.worker.WorkerOptions;
import io.tailrace.worker.WorkerProcess;
import io.tailrace.worker.WorkerProcessOptions;
import io.tailrace.worker.follow.FollowOptions;
import io.tailrace.worker.follow.ServedModel;
import io.tailrace.worker.replay.ReplayInputOptions;
import java.io.PrintWriter;
import java.net.URI;
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

/** {@code tailrace worker}: one replaying worker against a Kafka that is there already. */
@Command(
        name = "worker",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs a worker: follows the snapshots of its model, replays recorded requests at a pace, drafts for them and"
                    + " reports generations, outcomes and its status.",
            "Without --input it follows snapshots only, until Ctrl-C."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace worker --bootstrap localhost:9092 --store file:///var/tailrace/store%n"
                + "      --model llama@1,vocabulary=100277,tokenizer=cl100k --input requests.jsonl.gz --pace 5")
final class WorkerCommand implements Callable<Integer> {
    @Mixin
    private KafkaOptions kafka;

    @Option(
            names = "--store",
            required = true,
            paramLabel = "URI",
            description = "Where the job puts segments: a folder, file:, http: or https:.")
    private URI store;

    @Option(
            names = "--model",
            required = true,
            converter = ModelConverter.class,
            paramLabel = ModelConverter.FORM,
            description = "The model it serves, as the job knows it.")
    private ModelSpec model;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description =
                    "Recorded requests as JSON lines, plain or gzip; repeatable, one after the other. Bad lines are"
                            + " reported, counted and skipped.")
    private List<Path> inputs = new ArrayList<>();

    @Option(
            names = "--scope",
            defaultValue = ReplayInputOptions.SCOPE_DEFAULT,
            paramLabel = "NAME",
            description = "Scope of requests that name none. Default: ${DEFAULT-VALUE}.")
    private String scope;

    @Option(
            names = "--pace",
            defaultValue = "" + PaceOptions.REQUESTS_PER_SECOND_OF_ONE_SERVER,
            paramLabel = "R",
            description = "Requests a second. Default: ${DEFAULT-VALUE}, that of a real server.")
    private double pace;

    @Option(names = "--requests", paramLabel = "N", description = "Ends after so many requests. Default: all.")
    private Long requests;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the worker, unique in the fleet. Default: worker- and the process id.")
    private String name = "worker-" + ProcessHandle.current().pid();

    @Option(
            names = "--budget",
            defaultValue = "16",
            paramLabel = "N",
            description = "Most draft tokens a verification, 0 to 64. Default: ${DEFAULT-VALUE}.")
    private int budget;

    @Option(
            names = "--own-context",
            description = "Decode each request once more from its own context only, to compare. Default: off.")
    private boolean ownContext;

    @Option(
            names = "--cache",
            paramLabel = "FOLDER",
            description =
                    "Local folder for segment files; workers of one machine may share it. Default: .tailrace/cache.")
    private Path cache;

    @Option(
            names = "--metrics-port",
            defaultValue = "-1",
            paramLabel = "P",
            description = "Serves /metrics, /health and /ready there; 0: any free port. Default: -1, off.")
    private int metricsPort;

    @Option(
            names = "--metrics-host",
            defaultValue = "127.0.0.1",
            paramLabel = "HOST",
            description = "Address to serve them on. Default: ${DEFAULT-VALUE}.")
    private String metricsHost;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the result as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check(json);
        WorkerProcess process = new WorkerProcess(options());
        PrintWriter err = spec.commandLine().getErr();
        try (Interruption interruption = Interruption.install()) {
            interruption.onInterrupt(process::stop);
            WorkerProcess.Summary summary = process.run(
                    badLine -> err.println("skipped: " + badLine.getMessage()), (worker, request, served) -> {});
            print(summary);
            JsonFile.write(json, toJson(summary));
            boolean complete = summary.badLines() == 0 && summary.reportFailures() == 0;
            return complete ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }

    private WorkerProcessOptions options() {
        Require.positive("--pace", pace);
        Require.atLeast("--requests", 1, requests == null ? 1 : requests);
        try {
            ServedModel served = new ServedModel(
                    model.model(), model.revision(), model.vocabularySize(), model.tokenizerFingerprint());
            Path folder = cache == null ? WorkFolder.home().resolve("cache") : cache;
            WorkerOptions worker = WorkerOptions.of(
                            name,
                            served,
                            new KafkaAccess(kafka.bootstrap(), kafka.topicPrefix(), kafka.clientSettings()),
                            FollowOptions.of(store, folder))
                    .withServing(ServingOptions.defaults().withBudgetMax(budget).withMeasureOwnContext(ownContext));
            return new WorkerProcessOptions(
                    worker,
                    inputs,
                    ReplayInputOptions.of(model.vocabularySize()).withScopeDefault(scope),
                    PaceOptions.ofRealServers(1)
                            .withRequestsPerSecond(pace)
                            .withRequestsMax(requests == null ? Long.MAX_VALUE : requests),
                    metricsHost,
                    metricsPort);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }

    private void print(WorkerProcess.Summary summary) {
        Table table = new Table(
                "lane", "requests", "tokens/step", "own context only", "snapshot", "freshness p50 ms", "p99 ms");
        for (LaneView lane : summary.views()) {
            double own = lane.totals().tokensPerStepOwnContext();
            table.row(
                    lane.lane(),
                    lane.totals().requests(),
                    lane.tokensPerStep(),
                    own == 0 ? null : own,
                    lane.state().loadedVersion(),
                    lane.state().freshnessP50Millis(),
                    lane.state().freshnessP99Millis());
        }
        table.print(spec.commandLine().getOut());
    }

    private static Map<String, Object> toJson(WorkerProcess.Summary summary) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("dealt", summary.replay().dealt());
        json.put("served", summary.replay().served());
        json.put("behindMillisMax", summary.replay().behindMillisMax());
        json.put("badLines", summary.badLines());
        json.put("reportFailures", summary.reportFailures());
        json.put("lanes", summary.views().stream().map(WorkerCommand::toJson).toList());
        return json;
    }

    private static Map<String, Object> toJson(LaneView lane) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("lane", lane.lane());
        json.put("requests", lane.totals().requests());
        json.put("tokensPerStep", lane.tokensPerStep());
        json.put("tokensPerStepOwnContext", lane.totals().tokensPerStepOwnContext());
        json.put("snapshotVersion", lane.state().loadedVersion());
        json.put(
                "freshnessMillis",
                Map.of(
                        "p50",
                        lane.state().freshnessP50Millis(),
                        "p99",
                        lane.state().freshnessP99Millis()));
        return json;
    }
}
