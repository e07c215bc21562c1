package io.tailrace.local;

import io.tailrace.jobs.IndexJob;
import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.schemas.signing.TrustedKeys;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop in this process without its workers: broker, topics, and Flink with the index job and its store. Started in that order, closed in
 * reverse order; closing twice does nothing. Workers are whatever connects to {@link #bootstrap()} and {@link #store()}.
 */
public final class LocalLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalLoop.class);
    private static final Duration JOB_START_MAX = Duration.ofSeconds(90);

    private final Options options;
    private EmbeddedBroker broker;
    private String bootstrap;
    private Optional<LocalKeys> keys = Optional.empty();
    private LocalFlink flink;
    private LocalJob job;

    private LocalLoop(Options options) {
        this.options = options;
    }

    /** Starts broker, topics and job; returns once the job has completed a checkpoint. */
    public static LocalLoop start(Options options) throws IOException {
        LocalLoop loop = new LocalLoop(options);
        try {
            loop.open();
            return loop;
        } catch (IOException | RuntimeException e) {
            loop.close();
            throw e;
        }
    }

    /** Address of the broker. */
    public String bootstrap() {
        return bootstrap;
    }

    /** Takes the broker away; all that follows it goes on trying. Nothing happens where it is away. */
    public synchronized void stopBroker() {
        if (broker != null) {
            broker.close();
            broker = null;
        }
    }

    /** Brings the broker back, at the same address and with the same data. */
    public synchronized void startBroker() throws IOException {
        if (broker == null) {
            broker = EmbeddedBroker.start(
                    folder("kafka"), Integer.parseInt(bootstrap.split(":", -1)[1]));
        }
    }

    /** Address of Flink's dashboard. */
    public URI dashboard() {
        return flink.dashboard();
    }

    public LocalFlink flink() {
        return flink;
    }

    /** The index job as it was submitted last. */
    public LocalJob job() {
        return job;
    }

    /** Where the job puts segments and workers find them. */
    public URI store() {
        return folder("store").toUri();
    }

    /** The files of the keys that the job signs with and trusts; empty: nothing is signed. */
    public Optional<LocalKeys> keys() {
        return keys;
    }

    /** Who may announce and command, as the files say now. */
    public TrustedKeys trustedKeys() {
        return TrustedKeys.read(keys.map(LocalKeys::trusted).map(List::of).orElse(List.of()));
    }

    /** Submits the index job again, after it was stopped; null: without earlier state. */
    public void restartJob(String restoreFrom) throws IOException {
        job = submitJob(restoreFrom, flink.parallelism());
    }

    /** The same with another parallelism, at most that of the cluster. */
    public void restartJob(String restoreFrom, int parallelism) throws IOException {
        job = submitJob(restoreFrom, parallelism);
    }

    /** What is not there yet or any more is passed over. A part that does not close keeps no other one open. */
    @Override
    @SuppressWarnings("try") // the parts are only closed here
    public synchronized void close() {
        try (EmbeddedBroker last = broker;
                LocalFlink second = flink;
                Closeable first = this::endJob) {
            broker = null;
            flink = null;
        } catch (IOException e) {
            LOG.warn("the loop did not close in order: {}", e.toString());
        }
    }

    private synchronized void open() throws IOException {
        broker = options.kept()
                ? EmbeddedBroker.start(folder("kafka"), options.keptPort())
                : EmbeddedBroker.start(folder("kafka"));
        bootstrap = broker.bootstrap();
        createTopics();
        keys = options.signed() ? Optional.of(LocalKeys.in(folder("keys"))) : Optional.empty();
        Files.createDirectories(folder("store"));
        KeptJob kept = new KeptJob(folder("flink"));
        String earlier = options.kept() ? kept.newest() : null;
        flink = LocalFlink.start(
                new LocalFlink.Options(folder("flink"), options.dashboardPort(), 1, 2, options.flinkSettings()));
        job = submitJob(earlier, flink.parallelism());
        if (options.kept()) {
            kept.forgetAllBut(job.id());
        }
    }

    /** A cluster that is closed under a running job takes it for a failure, and restarts its sources while they are closed. */
    private void endJob() throws IOException {
        LocalJob running = job;
        job = null;
        if (running == null || running.status().isGloballyTerminalState()) {
            return;
        }
        if (options.kept() && left(running)) {
            return;
        }
        running.cancel();
    }

    /** Whether a savepoint was left; where none could be its last checkpoint is gone on from. */
    private static boolean left(LocalJob running) {
        try {
            LOG.info("the job has left {}", running.stopWithSavepoint());
            return true;
        } catch (IOException e) {
            LOG.warn("the job left no savepoint, its last checkpoint is gone on from: {}", e.toString());
            return false;
        }
    }

    private void createTopics() throws IOException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
            new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
        }
    }

    private LocalJob submitJob(String restoreFrom, int parallelism) throws IOException {
        IndexJobOptions arguments = IndexJobOptions.parse(jobArguments().toArray(new String[0]));
        DurableStore.Factory store = options.storeWrapper().apply(FlinkFileStore.factory(arguments.store()));
        LocalJob submitted = flink.submit(
                IndexJob.NAME, environment -> IndexJob.build(environment, arguments, store), restoreFrom, parallelism);
        submitted.awaitRunning(JOB_START_MAX);
        submitted.awaitCheckpoint(JOB_START_MAX);
        return submitted;
    }

    private List<String> jobArguments() {
        ModelCatalog.Model model = options.model();
        List<String> arguments = new ArrayList<>(List.of(
                "--bootstrap",
                bootstrap(),
                "--store",
                store().toString(),
                "--scratch",
                folder("scratch").toString(),
                "--model",
                "%s@%s,vocabulary=%s,tokenizer=%s"
                        .formatted(
                                model.model(),
                                model.revision(),
                                model.vocabularySize(),
                                model.tokenizerFingerprint())));
        keys.ifPresent(files -> arguments.addAll(List.of(
                "--signing-key",
                files.signing().toString(),
                "--trusted-keys",
                files.trusted().toString())));
        arguments.addAll(options.jobArguments());
        return arguments;
    }

    private Path folder(String name) {
        return options.folder().toAbsolutePath().resolve(name);
    }

    /**
     * How the loop in this process is laid out.
     *
     * @param folder everything it writes lies below it
     * @param dashboardPort of Flink's dashboard; 0: any free one
     * @param model the one model of the fleet
     * @param jobArguments further arguments of the index job, as on its command line
     * @param flinkSettings further Flink settings
     * @param storeWrapper put around the job's segment store, to observe it or to make it fail
     * @param signed whether what the job writes is signed, by keys that are made in folder {@code keys}, and what it reads is checked
     * @param keptPort of the broker of a loop that goes on from what its folder holds, and leaves it so; 0: any free one, nothing is gone on from
     */
    public record Options(
            Path folder,
            int dashboardPort,
            ModelCatalog.Model model,
            List<String> jobArguments,
            Map<String, String> flinkSettings,
            UnaryOperator<DurableStore.Factory> storeWrapper,
            boolean signed,
            int keptPort) {
        public Options {
            jobArguments = List.copyOf(jobArguments);
            flinkSettings = Map.copyOf(flinkSettings);
            if (keptPort < 0 || keptPort > 65_535) {
                throw new IllegalArgumentException("keptPort must be 0 to 65535, got " + keptPort);
            }
        }

        /** Defaults: any free port, nothing added, nothing signed. */
        public static Options in(Path folder, ModelCatalog.Model model) {
            return new Options(folder, 0, model, List.of(), Map.of(), UnaryOperator.identity(), false, 0);
        }

        public Options withDashboardPort(int port) {
            return new Options(folder, port, model, jobArguments, flinkSettings, storeWrapper, signed, keptPort);
        }

        public Options withJobArguments(String... arguments) {
            return new Options(
                    folder, dashboardPort, model, List.of(arguments), flinkSettings, storeWrapper, signed, keptPort);
        }

        public Options withStoreWrapper(UnaryOperator<DurableStore.Factory> wrapper) {
            return new Options(folder, dashboardPort, model, jobArguments, flinkSettings, wrapper, signed, keptPort);
        }

        /** The job's metrics for Prometheus, on that port. */
        public Options withMetricsPort(int port) {
            Map<String, String> settings = new HashMap<>(flinkSettings);
            settings.put("metrics.reporters", "prometheus");
            settings.put("metrics.reporter.prometheus.port", Integer.toString(port));
            return new Options(folder, dashboardPort, model, jobArguments, settings, storeWrapper, signed, keptPort);
        }

        public Options withSignatures() {
            return new Options(folder, dashboardPort, model, jobArguments, flinkSettings, storeWrapper, true, keptPort);
        }

        /** A loop that stops with a savepoint and goes on from what an earlier one left in its folder, with the broker at this port. */
        public Options withKeptState(int brokerPort) {
            Map<String, String> settings = new HashMap<>(flinkSettings);
            settings.put("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
            return new Options(folder, dashboardPort, model, jobArguments, settings, storeWrapper, signed, brokerPort);
        }

        boolean kept() {
            return keptPort != 0;
        }
    }
}
