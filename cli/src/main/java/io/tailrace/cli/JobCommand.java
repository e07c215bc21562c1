package io.tailrace.cli;

import io.tailrace.client.KafkaAccess;
import io.tailrace.jobs.IndexJob;
import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.jobs.topics.TopicCheck;
import io.tailrace.local.LocalFlink;
import io.tailrace.local.LocalJob;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.Require;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace job}: the index job on a Flink in this process, against a Kafka that is there already. */
@Command(
        name = "job",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs the index job on a Flink cluster inside this process, with its dashboard, until Ctrl-C. Then it stops"
                    + " with a savepoint and says where that lies.",
            "A cluster of your own takes the same job and options by 'flink run'."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace job --bootstrap localhost:9092 --store file:///var/tailrace/store%n"
                + "      --model llama@1,vocabulary=100277,tokenizer=cl100k --folder /var/tailrace/flink")
final class JobCommand implements Callable<Integer> {
    private static final Duration START_MAX = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 1_000;
    private static final String NO_STATE = "none";

    @Mixin
    private IndexJobOptions job;

    @Bounds(min = 0, max = 65_535)
    @Option(
            names = "--port",
            defaultValue = "8081",
            paramLabel = "P",
            description = "Port of the dashboard; 0: any free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Bounds(min = 1, max = IndexJob.MAX_PARALLELISM)
    @Option(
            names = "--parallelism",
            defaultValue = "2",
            paramLabel = "N",
            description = "Tasks of each operator side by side. Default: ${DEFAULT-VALUE}.")
    private int parallelism;

    @Option(
            names = "--folder",
            required = true,
            paramLabel = "FOLDER",
            description = "Where Flink keeps checkpoints and savepoints; needed to go on later.")
    private Path folder;

    @Option(
            names = "--restore",
            paramLabel = "URI",
            description =
                    "A savepoint, or a retained checkpoint, to go on from; none: start with empty state, which withdraws"
                            + " every version announced before. Needed where the folder holds state of an earlier job.")
    private String restoreFrom;

    @Option(
            names = "--flink-property",
            paramLabel = "KEY=VALUE",
            description = "A Flink setting; repeatable. metrics.reporters=prometheus shows metrics at port 9249.")
    private Map<String, String> flinkProperties = new LinkedHashMap<>();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        checkOptions();
        PrintWriter out = spec.commandLine().getOut();
        LocalFlink.Options options = new LocalFlink.Options(folder, port, 1, parallelism, flinkProperties);
        try (Interruption interruption = Interruption.install();
                LocalFlink flink = LocalFlink.start(options)) {
            LocalJob running =
                    flink.submit(IndexJob.NAME, environment -> IndexJob.build(environment, options()), state());
            running.awaitRunning(START_MAX);
            out.println("Dashboard: " + flink.dashboard() + "   Ctrl-C stops the job with a savepoint.");
            out.flush();
            return runUntilInterrupted(running, interruption, out);
        }
    }

    private int runUntilInterrupted(LocalJob running, Interruption interruption, PrintWriter out)
            throws IOException, InterruptedException {
        while (!interruption.await(LOOK_MILLIS)) {
            if (running.status().isGloballyTerminalState()) {
                throw new IOException("the job has ended: " + running.failure());
            }
        }
        out.println("Savepoint: " + running.stopWithSavepoint());
        out.flush();
        return ExitCodes.DONE;
    }

    /** What to go on from; null: nothing. */
    private String state() {
        return NO_STATE.equals(restoreFrom) ? null : restoreFrom;
    }

    private IndexJobOptions options() {
        return NO_STATE.equals(restoreFrom) ? job.startingEmpty() : job;
    }

    /** Whoever gives the same command once more wants to go on, not to lose the index. */
    private void checkState() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        Optional<Path> kept =
                restoreFrom == null ? LocalFlink.KeptState.newest(folder, err::println) : Optional.empty();
        if (kept.isPresent()) {
            throw new BadInputException(
                    "--folder %s holds state of an earlier job; go on with --restore %s, or start with empty state by --restore none, which withdraws every version announced before"
                            .formatted(folder, kept.get().toUri()));
        }
    }

    /** Flink's plug-ins for object stores are not in this process. */
    static void checkStore(URI store) throws IOException {
        try {
            FileSystem unused = FileSystem.get(store);
        } catch (UnsupportedFileSystemSchemeException e) {
            throw new BadInputException(
                    "--store %s: the Flink in this process knows no '%s:'; give a folder that all can reach, file:///..., or run the job on a Flink with the plug-in for such a store (docs/how-to/run-a-fleet.md)"
                            .formatted(store, store.getScheme()),
                    e);
        }
    }

    private void checkOptions() throws IOException {
        checkState();
        try {
            job.check();
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
        checkStore(job.store());
        Require.freePort("--port", "127.0.0.1", port);
        new KafkaAccess(
                        job.kafka().brokers().bootstrap(),
                        job.kafka().brokers().topicPrefix(),
                        job.kafka().brokers().clientSettings())
                .requireReachable();
        Optional<String> trouble = new TopicCheck(job.kafka()).trouble();
        if (trouble.isPresent()) {
            throw new BadInputException(trouble.get());
        }
    }
}
