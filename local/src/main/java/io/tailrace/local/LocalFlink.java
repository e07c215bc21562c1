package io.tailrace.local;

import io.tailrace.jobs.state.SavedStates;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * A real Flink cluster in this process with its dashboard: JobManager and TaskManagers as threads. Jobs run detached and
 * outlive the call that submitted them; closing the cluster ends them.
 */
public final class LocalFlink implements AutoCloseable {
    private static final Duration CALL_MAX = Duration.ofSeconds(60);

    private final MiniCluster cluster;
    private static final String REPORTER = "metrics.reporter.prometheus.";
    private static final Map<String, String> PROMETHEUS = Map.of(
            REPORTER + "factory.class", "org.apache.flink.metrics.prometheus.PrometheusReporterFactory",
            REPORTER + "filterLabelValueCharacters", "false",
            REPORTER + "scope.variables.excludes", "host;task_attempt_id;task_attempt_num;task_id;operator_id");

    private final Configuration configuration;
    private final URI dashboard;
    private final int parallelism;

    private LocalFlink(MiniCluster cluster, Configuration configuration, URI dashboard, int parallelism) {
        this.cluster = cluster;
        this.configuration = configuration;
        this.dashboard = dashboard;
        this.parallelism = parallelism;
    }

    /**
     * Starts the cluster.
     *
     * @throws IOException if it does not come up, above all because the port is taken
     */
    public static LocalFlink start(Options options) throws IOException {
        if (options.port() != 0 && !LoopbackPorts.isFree(options.port())) {
            throw new IOException("port " + options.port()
                    + " for the dashboard is in use; choose another one with --port, or 0 for any free one");
        }
        Configuration configuration = configuration(options);
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(options.taskManagers())
                .setNumSlotsPerTaskManager(options.slots())
                .build());
        try {
            call("starting the local Flink cluster", cluster::start);
            URI dashboard = await("the dashboard", cluster.getRestAddress());
            return new LocalFlink(cluster, configuration, dashboard, options.taskManagers() * options.slots());
        } catch (IOException failure) {
            try {
                await("closing it", cluster.closeAsync());
            } catch (IOException closing) {
                failure.addSuppressed(closing);
            }
            throw failure;
        }
    }

    /** Address of the dashboard and of the REST API. */
    public URI dashboard() {
        return dashboard;
    }

    /** Submits the job that {@code wiring} adds to a fresh environment. */
    public LocalJob submit(String name, Consumer<StreamExecutionEnvironment> wiring) throws IOException {
        return submit(name, wiring, null);
    }

    /** Submits a job that takes up the state of a savepoint, or of a retained checkpoint; null: none. */
    public LocalJob submit(String name, Consumer<StreamExecutionEnvironment> wiring, String restoreFrom)
            throws IOException {
        return submit(name, wiring, restoreFrom, parallelism);
    }

    /** The same with another parallelism than the slots allow at most. */
    public LocalJob submit(
            String name, Consumer<StreamExecutionEnvironment> wiring, String restoreFrom, int jobParallelism)
            throws IOException {
        Configuration own = new Configuration(configuration);
        if (restoreFrom != null) {
            own.set(StateRecoveryOptions.SAVEPOINT_PATH, restoreFrom);
        }
        StreamExecutionEnvironment environment = new StreamExecutionEnvironment(own);
        environment.setParallelism(jobParallelism);
        wiring.accept(environment);
        StreamGraph graph = environment.getStreamGraph();
        graph.setJobName(name);
        graph.setJobId(new JobID());
        return new LocalJob(
                cluster, await("submitting " + name, cluster.submitJob(graph)).getJobID());
    }

    /** Slots of all TaskManagers: the parallelism of jobs that ask for none. */
    public int parallelism() {
        return parallelism;
    }

    /** Kills a TaskManager, as if its process died. */
    public void killTaskManager(int index) throws IOException {
        await("killing TaskManager " + index, cluster.terminateTaskManager(index));
    }

    /** Adds a TaskManager. */
    public void startTaskManager() throws IOException {
        call("starting a TaskManager", cluster::startTaskManager);
    }

    @Override
    public void close() throws IOException {
        await("closing the cluster", cluster.closeAsync());
    }

    private static Configuration configuration(Options options) throws IOException {
        Path folder = Files.createDirectories(options.folder()).toAbsolutePath();
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.ADDRESS, "127.0.0.1");
        configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
        configuration.set(RestOptions.BIND_PORT, Integer.toString(options.port()));
        configuration.set(WebOptions.SUBMIT_ENABLE, false);
        configuration.set(CoreOptions.TMP_DIRS, folder.resolve("tmp").toString());
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve("checkpoints").toUri().toString());
        configuration.set(
                CheckpointingOptions.SAVEPOINT_DIRECTORY,
                folder.resolve("savepoints").toUri().toString());
        options.settings().forEach(configuration::setString);
        completePrometheus(configuration);
        return configuration;
    }

    /**
     * Flink knows reporters by their factories; that of the one on our class path need not be named. Lanes stay as they are, so that they meet the
     * workers' labels in a query; without task ids the series survive a restart of a task.
     */
    private static void completePrometheus(Configuration configuration) {
        boolean wanted = Arrays.asList(
                        configuration.get(MetricOptions.REPORTERS_LIST, "").split("\\s*,\\s*", -1))
                .contains("prometheus");
        if (wanted) {
            PROMETHEUS.forEach((key, value) -> {
                if (!configuration.containsKey(key)) {
                    configuration.setString(key, value);
                }
            });
        }
    }

    /** A call that Flink declares to throw anything. */
    @FunctionalInterface
    private interface FlinkCall {
        void run() throws Exception;
    }

    private static void call(String what, FlinkCall call) throws IOException {
        FutureTask<Void> task = new FutureTask<>(() -> {
            call.run();
            return null;
        });
        task.run();
        await(what, task);
    }

    static <T> T await(String what, Future<T> future) throws IOException {
        try {
            return future.get(CALL_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(what + " failed: " + reason(e.getCause()), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException(what + " took longer than " + CALL_MAX.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(what + " was interrupted", e);
        }
    }

    /** Flink looks up the name of the machine it runs on, and no other. */
    private static String reason(Throwable cause) {
        return cause instanceof UnknownHostException
                ? "this machine's own name has no address (%s); add it to /etc/hosts, such as in a line '127.0.0.1 %s'"
                        .formatted(cause.getMessage(), cause.getMessage().split(":", 2)[0])
                : cause.getMessage();
    }

    /**
     * How the Flink cluster in this process is laid out.
     *
     * @param folder where it keeps checkpoints, savepoints and temporary files
     * @param port of the dashboard and REST API on the loopback address; 0: any free one
     * @param taskManagers at least 1
     * @param slots of each TaskManager, at least 1
     * @param settings further Flink settings by key; they win over the defaults
     */
    public record Options(Path folder, int port, int taskManagers, int slots, Map<String, String> settings) {
        public Options {
            require(port >= 0 && port <= 65535, "port must be 0 to 65535, got %d", port);
            require(taskManagers >= 1, "taskManagers must be at least 1, got %d", taskManagers);
            require(slots >= 1, "slots must be at least 1, got %d", slots);
            settings = Map.copyOf(settings);
        }

        /** One TaskManager with two slots. */
        public static Options in(Path folder, int port) {
            return new Options(folder, port, 1, 2, Map.of());
        }

        private static void require(boolean holds, String rule, int value) {
            if (!holds) {
                throw new IllegalArgumentException(rule.formatted(value));
            }
        }
    }

    /** What a job that ran in a folder has left there to go on from: savepoints, and checkpoints that were retained. */
    public static final class KeptState {
        private static final int DEPTH_MAX = 4;

        private KeptState() {}

        /**
         * The newest intact checkpoint or savepoint below a folder that {@link LocalFlink} was given; where none of those there is intact the newest of
         * them; empty: there is none.
         *
         * @param skipped told of those that are not intact, and why
         */
        public static Optional<Path> newest(Path folder, Consumer<String> skipped) throws IOException {
            if (!Files.isDirectory(folder)) {
                return Optional.empty();
            }
            List<String> newestFirst;
            try (Stream<Path> all = Files.walk(folder, DEPTH_MAX)) {
                newestFirst = all.filter(path -> path.getFileName().toString().equals(SavedStates.METADATA))
                        .sorted(Comparator.comparing(KeptState::modified).reversed())
                        .map(path -> path.getParent().toString())
                        .toList();
            }
            return SavedStates.newestIntact(newestFirst, skipped)
                    .or(() -> newestFirst.stream().findFirst())
                    .map(Path::of);
        }

        private static FileTime modified(Path file) {
            try {
                return Files.getLastModifiedTime(file);
            } catch (IOException e) {
                return FileTime.fromMillis(0);
            }
        }
    }
}
