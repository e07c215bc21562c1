package io.tailrace.lab.demo;

import io.tailrace.cli.console.LocalConsole;
import io.tailrace.lab.engine.EngineFleet;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.local.LocalLoop;
import io.tailrace.local.LoopbackPorts;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.Require;
import io.tailrace.terminal.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.errors.InterruptException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace demo}: the whole loop on this machine. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs the whole loop on this machine: a Kafka broker, the index job on Flink with its dashboard, the"
                    + " console's pages, and workers that serve a workload. Shows how it goes and ends with a summary.",
            "Without --input it serves synthetic traffic of the project's own. With --engine vllm two stock vLLM engines"
                    + " serve a real model: one answers a prompt, a second later the other one does, and every answer is"
                    + " compared with vLLM's own. Makes a Python environment where there is none, and says what it downloads."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace demo",
            "  tailrace demo --input sql.jsonl.gz --input chat.jsonl.gz --requests 1500 --json demo.json",
            "  tailrace demo --stay --port 8082",
            "  tailrace demo --engine vllm",
            "",
            "Exit code 0: both accounts close and freshness p99 is at most 10 s; 1: not; 2: bad input or usage.",
            "With --engine 0: every answer is equal, drafts came from the other engine, and both accounts close."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int DASHBOARD_PORT_DEFAULT = 8081;
    private static final int SYNTHETIC_REQUESTS = 1200;
    private static final int ENGINE_PROMPTS = 16;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "Recorded requests as JSON lines, plain or gzip; repeatable, several are dealt in turn, one"
                    + " request of each. Default: synthetic traffic.")
    private List<Path> inputs = new ArrayList<>();

    @Bounds(min = 1)
    @Option(
            names = "--requests",
            paramLabel = "N",
            description =
                    "Requests to serve, in total; with --engine prompts, which both engines answer. Default: all of the"
                            + " inputs; 1200 of synthetic traffic; 16 prompts.")
    private Integer requests;

    @Bounds(min = 1)
    @Option(
            names = "--workers",
            defaultValue = "2",
            paramLabel = "N",
            description = "Workers. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Bounds(min = 0, above = true)
    @Option(
            names = "--pace",
            defaultValue = "20",
            paramLabel = "R",
            description = "Requests a second, over all workers. Default: ${DEFAULT-VALUE}.")
    private double pace;

    @Bounds(min = 0, max = 65_535)
    @Option(
            names = "--port",
            paramLabel = "P",
            description = "Port of Flink's dashboard; 0: any free one. Default: 8081, or any free one if it is in use.")
    private Integer port;

    @Bounds(min = 1, max = 65_000)
    @Option(
            names = "--metrics-port",
            paramLabel = "P",
            description =
                    "Shows metrics to Prometheus: the job's on port P, on all addresses of this machine, and those"
                            + " of worker N on port P + N of the loopback address. Default: none are shown.")
    private Integer metricsPort;

    @Mixin
    private EngineDemoOptions engines = new EngineDemoOptions();

    @Mixin
    private RecordedInputOptions.Vocabulary vocabulary = new RecordedInputOptions.Vocabulary();

    @Option(
            names = "--skip-bad-lines",
            description = "Report and count lines of the inputs that cannot be served, and go on. Default: stop at the"
                    + " first one, before anything is started.")
    private boolean skipBadLines;

    @Option(
            names = "--seed",
            hidden = true,
            defaultValue = "42",
            paramLabel = "N",
            description = "Seed of the synthetic traffic. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Bounds(min = 1)
    @Option(
            names = "--shards",
            hidden = true,
            defaultValue = "8",
            paramLabel = "N",
            description = "Shards of each lane. Default: ${DEFAULT-VALUE}.")
    private int shards;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path json;

    @Option(names = "--stay", description = "Keeps broker, Flink and workers running after the summary, until Ctrl-C.")
    private boolean stay;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description =
                    "Where broker, Flink and workers put their data. Default: a fresh folder below .tailrace, which"
                            + " is deleted at the end.")
    private Path folder;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        checkOptions();
        PrintWriter out = spec.commandLine().getOut();
        if (engines.check(spec.commandLine().getParseResult())) {
            return runEngines(out);
        }
        try (DemoWorkload workload = workload(out);
                Interruption interruption = Interruption.install();
                WorkFolder work = WorkFolder.open(folder, "demo")) {
            return run(workload, work.path(), interruption, out);
        }
    }

    private int run(DemoWorkload workload, Path work, Interruption interruption, PrintWriter out) throws Exception {
        long count = requests == null ? workload.requests() : Math.min(requests, workload.requests());
        out.println("Workload: %s; %,d requests, %s a second, over %d workers."
                .formatted(workload.describe(), count, Require.plain(pace), workers));
        out.println("Starting Kafka, Flink and the workers ...");
        out.flush();
        LocalLoop.Options options = LoopUnderLoad.options(work, workload.model())
                .withDashboardPort(dashboardPort(out))
                .withJobArguments("--shards", Integer.toString(shards))
                .withSignatures();
        try (LoopUnderLoad loop = LoopUnderLoad.start(metered(options));
                LocalConsole console = LocalConsole.start(loop.loop());
                DemoMetrics metrics = new DemoMetrics(metricsPort)) {
            for (int worker = 1; worker <= workers; worker++) {
                metrics.show(worker, loop.addWorker("worker-" + worker));
            }
            addresses(loop.loop(), console, out);
            DemoRun run = new DemoRun(loop, workload, pace, count);
            interruption.onInterrupt(run::stop);
            DemoResult result = run.run(out, count);
            new DemoResult.Summary(out).print(result);
            JsonFile.write(json, result.toJson());
            if (stay && !interruption.happened()) {
                stay(console, interruption, out);
            }
            return result.shortcomings().isEmpty() ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }

    private int runEngines(PrintWriter out) throws Exception {
        int prompts = requests == null ? ENGINE_PROMPTS : requests;
        if (prompts > DemoPrompts.COUNT_MAX) {
            throw new BadInputException(
                    "--requests %d: with --engine there are %d prompts".formatted(prompts, DemoPrompts.COUNT_MAX));
        }
        AtomicReference<Thread> working = new AtomicReference<>(Thread.currentThread());
        try (Interruption interruption = Interruption.install();
                WorkFolder work = WorkFolder.open(folder, "demo")) {
            interruption.onInterrupt(
                    () -> Optional.ofNullable(working.getAndSet(null)).ifPresent(Thread::interrupt));
            EngineDemoResult result = new EngineDemo(out, prompts)
                    .run(
                            engines,
                            work.path(),
                            loop -> metered(loop.withDashboardPort(dashboardPort(out))
                                    .withJobArguments("--shards", Integer.toString(shards))
                                    .withSignatures()),
                            (fleet, console, measured) -> {
                                working.set(null);
                                new EngineDemoSummary(out).print(measured);
                                JsonFile.write(json, measured.toJson());
                                if (stay) {
                                    printReplicas(fleet, out);
                                    stay(console, interruption, out);
                                }
                            });
            return result.shortcomings().isEmpty() ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        } catch (InterruptedException | InterruptException e) {
            out.println("Ended before its summary.");
            return ExitCodes.FELL_SHORT;
        }
    }

    private LocalLoop.Options metered(LocalLoop.Options options) {
        return metricsPort == null ? options : options.withMetricsPort(metricsPort);
    }

    /** Where to look while it runs. */
    static void addresses(LocalLoop loop, LocalConsole console, PrintWriter out) {
        out.println("Console: %s   Dashboard: %s   Kafka: %s"
                .formatted(console.address(), loop.dashboard(), loop.bootstrap()));
        out.flush();
    }

    private static void printReplicas(EngineFleet fleet, PrintWriter out) {
        fleet.replicas()
                .forEach(replica -> out.println("%s answers at %s/v1"
                        .formatted(replica.name(), replica.engine().address())));
    }

    private static void stay(LocalConsole console, Interruption interruption, PrintWriter out)
            throws InterruptedException {
        out.println("Staying, with the console at " + console.address() + ". Ctrl-C ends it.");
        out.flush();
        interruption.await();
    }

    private void checkOptions() {
        JsonFile.check(json);
        if (port != null) {
            Require.freePort("--port", "127.0.0.1", port);
        }
        for (int at = 0; metricsPort != null && at <= workers; at++) {
            Require.freePort("--metrics-port", "127.0.0.1", metricsPort + at);
        }
    }

    private int dashboardPort(PrintWriter out) {
        if (port != null) {
            return port;
        }
        if (LoopbackPorts.isFree(DASHBOARD_PORT_DEFAULT)) {
            return DASHBOARD_PORT_DEFAULT;
        }
        out.println("Port %d is in use; the dashboard gets a free one.".formatted(DASHBOARD_PORT_DEFAULT));
        return 0;
    }

    private DemoWorkload workload(PrintWriter out) throws IOException {
        if (inputs.isEmpty()) {
            return new DemoWorkload.Synthetic(seed, requests == null ? SYNTHETIC_REQUESTS : requests);
        }
        out.println("Checking the input ...");
        out.flush();
        PrintWriter err = spec.commandLine().getErr();
        return FileWorkload.check(
                inputs, vocabulary.bound(), skipBadLines ? RecordedInputException.reportedOn(err) : null);
    }
}
