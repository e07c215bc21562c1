package io.tailrace.local.cluster;

import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.local.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;

/**
 * A broker in this process, a JobManager and TaskManagers as processes of their own, and the index job on all of their slots. A folder that holds
 * an earlier one's data and state is taken up again, also with another number of TaskManagers. One thread at a time.
 */
public final class LocalCluster implements AutoCloseable {
    private static final int HEAP_MEGABYTES = 768;
    private static final String LANE_TOKENS = "10000000"; // what a merge of has room in that heap

    private final Options options;
    private final EmbeddedBroker broker;
    private final List<ChildProcess> processes = new ArrayList<>();
    private final Consumer<String> log;
    private final FlinkJob job;

    /**
     * What it is like.
     *
     * @param folder of all that it keeps
     * @param settings the repository's folder with Flink's settings
     * @param models of the job, as its option takes them
     */
    public record Options(
            Path folder, Path settings, int taskManagers, int restPort, int kafkaPort, List<String> models) {
        public Options {
            if (taskManagers < 1) {
                throw new IllegalArgumentException("taskManagers must be at least 1, got " + taskManagers);
            }
            folder = folder.toAbsolutePath();
            models = List.copyOf(models);
        }

        /** Where the job puts segments, for whoever reads them. */
        public String store() {
            return folder.resolve("store").toUri().toString();
        }
    }

    private LocalCluster(Options options, EmbeddedBroker broker, FlinkPlace place, Consumer<String> log) {
        this.options = options;
        this.broker = broker;
        this.log = log;
        this.job = new FlinkJob(place, options.taskManagers() * FlinkPlace.SLOTS, arguments(place), log);
    }

    private List<String> arguments(FlinkPlace place) {
        List<String> arguments = new ArrayList<>(List.of(
                "--bootstrap", bootstrap(),
                "--store", options.store(),
                "--scratch", place.tasks().toString(),
                "--lane-tokens", LANE_TOKENS));
        options.models().forEach(model -> arguments.addAll(List.of("--model", model)));
        return arguments;
    }

    /** Starts every part; the job follows while it is tended. */
    public static LocalCluster start(Options options, Consumer<String> log) throws IOException {
        FlinkPlace place = place(options);
        EmbeddedBroker broker = EmbeddedBroker.start(options.folder().resolve("broker"), options.kafkaPort());
        LocalCluster cluster = new LocalCluster(options, broker, place, log);
        try {
            cluster.createTopics();
            cluster.startProcesses(new FlinkParts(place));
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    private static FlinkPlace place(Options options) throws IOException {
        Path folder = options.folder();
        FlinkPlace place = new FlinkPlace(
                folder.resolve("conf"),
                folder.resolve("state"),
                folder.resolve("tasks"),
                options.restPort(),
                Ports.free(1)[0],
                HEAP_MEGABYTES);
        for (Path made : List.of(place.configuration(), place.state(), place.tasks(), folder.resolve("logs"))) {
            Files.createDirectories(made);
        }
        FlinkSettings.write(options.settings().resolve("config.yaml"), place.configuration());
        Files.copy(
                options.settings().resolve("log4j2.properties"),
                place.configuration().resolve("log4j2.properties"),
                StandardCopyOption.REPLACE_EXISTING);
        return place;
    }

    private void createTopics() throws IOException {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap()))) {
            new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
        }
    }

    private void startProcesses(FlinkParts parts) throws IOException {
        start(parts.jobManager("jobmanager"));
        for (int i = 1; i <= options.taskManagers(); i++) {
            start(parts.taskManager("taskmanager-" + i));
        }
    }

    private void start(FlinkParts.Part part) throws IOException {
        ChildProcess process = new ChildProcess(new ChildProcess.Command(
                part.name(),
                words(part),
                Map.of(),
                options.folder(),
                options.folder().resolve("logs/" + part.name() + ".log")));
        processes.add(process);
        process.start();
        log.accept("%s is process %d".formatted(part.name(), process.pid()));
    }

    /** Ctrl-C is for whoever tends: it stops the job before these end. */
    private List<String> words(FlinkParts.Part part) {
        List<String> words = new ArrayList<>(List.of("sh", "-c", "trap '' INT; exec \"$@\"", "sh"));
        words.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.io.tmpdir=" + options.folder().resolve("tasks"),
                "-Dlog4j2.configurationFile=" + options.folder().resolve("conf/log4j2.properties"),
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED"));
        words.addAll(part.jvm());
        words.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), part.main().getName()));
        words.addAll(part.arguments());
        return words;
    }

    /** Starts again what has ended, and the job where it does not run. To be called every second or so. */
    public void tend() throws IOException, InterruptedException {
        for (ChildProcess process : processes) {
            if (!process.alive()) {
                process.start();
                log.accept("%s had ended and is process %d now".formatted(process.name(), process.pid()));
            }
        }
        job.tend(processes.get(0));
    }

    /** The processes, the JobManager first. */
    public List<ChildProcess> processes() {
        return List.copyOf(processes);
    }

    /** Whether every task of the job runs. */
    public boolean running() throws InterruptedException {
        return job.running();
    }

    public String bootstrap() {
        return broker.bootstrap();
    }

    /** Stops the job with a savepoint and returns where that lies. */
    public String stop() throws IOException, InterruptedException {
        if (job.job() == null) {
            throw new IOException("no job runs that could be stopped; it goes on from its newest checkpoint next time");
        }
        return job.rest().stop(job.job());
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
        broker.close();
    }
}
