package io.tailrace.lab.chaos;

import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.local.cluster.ChildProcess;
import io.tailrace.local.cluster.FlinkJob;
import io.tailrace.local.cluster.FlinkParts;
import io.tailrace.local.cluster.FlinkPlace;
import io.tailrace.local.cluster.FlinkSettings;
import io.tailrace.local.cluster.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;

/**
 * All parts of an installation, each a process of its own, and the links between them. Whoever tends it starts again what has ended, as a system that
 * keeps services running would, unless a fault holds it down.
 */
final class Installation implements AutoCloseable {
    static final String BROKER = "broker";
    static final String JOBMANAGER = "jobmanager";
    static final int TASKMANAGERS = 2;

    private static final int PARALLELISM = 2;
    private static final int START_SECONDS_MAX = 90;

    private final RunFolders folders;
    private final Map<String, ChildProcess> processes = new LinkedHashMap<>();
    private final Map<String, Link> links = new LinkedHashMap<>();
    private final Set<String> held = new HashSet<>();
    private final List<String> ended = new ArrayList<>();
    private final Consumer<String> log;
    private final String bootstrap;
    private final StoreServer store;
    private final Disks disks;
    private final Clocks clocks;
    private final Bystanders bystanders;
    private final OutsideWatch outside;
    private final FlinkJob cluster;

    /** The links, by who comes from where to where. */
    enum Route {
        JOB_KAFKA("job to Kafka"),
        WORKERS_KAFKA("workers to Kafka"),
        WORKERS_STORE("workers to store");

        private final String word;

        Route(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * Lays everything out; nothing runs yet.
     *
     * @param home of the launcher: where Flink's settings and those of logs lie
     */
    Installation(RunFolders folders, Disks disks, Path home, long seed, Consumer<String> log)
            throws IOException, InterruptedException {
        this.folders = folders;
        this.disks = disks;
        this.clocks = new Clocks(folders.clocks());
        this.bystanders = new Bystanders(folders);
        this.outside = new OutsideWatch(folders.root());
        this.log = log;
        int[] ports = Ports.free(9);
        FlinkSettings.write(home.resolve("deploy/flink/config.yaml"), folders.configuration());
        Files.copy(
                home.resolve("deploy/flink/log4j2.properties"),
                folders.configuration().resolve("log4j2.properties"));
        bootstrap = "127.0.0.1:" + ports[0];
        link(Route.JOB_KAFKA, ports[1], ports[2]);
        link(Route.WORKERS_KAFKA, ports[3], ports[4]);
        link(Route.WORKERS_STORE, ports[5], ports[6]);
        store = new StoreServer(folders.segments(), ports[6]);
        FlinkPlace place = folders.flink(ports[7], ports[8]);
        cluster = new FlinkJob(place, PARALLELISM, jobArguments("127.0.0.1:" + ports[1]), log);
        FlinkParts flink = new FlinkParts(place);
        JavaCommands java = new JavaCommands(folders, clocks);
        add(java.broker(
                ports[0],
                List.of(
                        new EmbeddedBroker.Listener("JOB", ports[2], ports[1]),
                        new EmbeddedBroker.Listener("WORKERS", ports[4], ports[3]))));
        add(java.part(flink.jobManager(JOBMANAGER)));
        for (int i = 1; i <= TASKMANAGERS; i++) {
            add(java.part(flink.taskManager(taskManager(i - 1))));
        }
        for (String worker : Truth.WORKERS) {
            add(java.worker(worker, seed, "127.0.0.1:" + ports[3], URI.create("http://127.0.0.1:" + ports[5] + "/")));
        }
    }

    private List<String> jobArguments(String kafka) {
        return List.of(
                "--bootstrap", kafka,
                "--store", folders.segments().toUri().toString(),
                "--scratch", folders.tasks().toString(),
                "--model", Model.argument(),
                "--lane-tokens", "3000000");
    }

    static String taskManager(int index) {
        return "taskmanager-" + (index + 1);
    }

    /** The job's, as if all of them were on one machine. */
    static List<String> jobProcesses() {
        List<String> processes = new ArrayList<>(List.of(JOBMANAGER));
        for (int i = 0; i < TASKMANAGERS; i++) {
            processes.add(taskManager(i));
        }
        return processes;
    }

    private void link(Route route, int port, int target) throws IOException {
        links.put(route.name(), new Link(port, target));
    }

    private void add(ChildProcess.Command command) {
        processes.put(command.name(), new ChildProcess(command));
    }

    /** Starts all parts; returns when the job is submitted and the workers serve. */
    void start() throws IOException, InterruptedException {
        ChildProcess broker = process(BROKER);
        broker.start();
        process(JOBMANAGER).start();
        for (int i = 0; i < TASKMANAGERS; i++) {
            process(taskManager(i)).start();
        }
        broker.awaitWords(ChaosBroker.READY, START_SECONDS_MAX);
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap))) {
            new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
        }
        for (String worker : Truth.WORKERS) {
            process(worker).start();
        }
        for (String worker : Truth.WORKERS) {
            process(worker).awaitWords(ChaosWorker.READY, START_SECONDS_MAX);
        }
    }

    /** Starts again what has ended. */
    void tend() throws IOException, InterruptedException {
        for (ChildProcess process : processes.values()) {
            if (!process.alive() && !held.contains(process.name())) {
                ended.add(process.name());
                log.accept("%s has ended by itself and is started again; it said last: %s"
                        .formatted(
                                process.name(),
                                process.tail().lines().reduce((a, b) -> b).orElse("nothing")));
                process.start();
            }
        }
        outside.look(processes.values());
        if (!held.contains(JOBMANAGER)) {
            cluster.tend(process(JOBMANAGER));
        }
    }

    /** Whoever tends leaves it alone until {@link #release}. */
    ChildProcess hold(String name) {
        held.add(name);
        return process(name);
    }

    void release(String name) {
        held.remove(name);
    }

    ChildProcess process(String name) {
        return processes.get(name);
    }

    /** Every process. */
    List<ChildProcess> processes() {
        return List.copyOf(processes.values());
    }

    /** Names of processes that ended though no fault had ended them, once for each time. */
    List<String> ended() {
        return List.copyOf(ended);
    }

    Link link(Route route) {
        return links.get(route.name());
    }

    /** Files that were touched and are none of the run's, in words. */
    List<String> touchedOutside() throws IOException {
        List<String> touched = new ArrayList<>(outside.touched());
        touched.addAll(bystanders.touched());
        return touched;
    }

    Disks disks() {
        return disks;
    }

    Clocks clocks() {
        return clocks;
    }

    FlinkJob cluster() {
        return cluster;
    }

    RunFolders folders() {
        return folders;
    }

    /** The door of the broker's that no fault closes. */
    String bootstrap() {
        return bootstrap;
    }

    @Override
    public void close() throws IOException {
        processes.values().forEach(ChildProcess::close);
        for (Link link : links.values()) {
            link.close();
        }
        store.close();
    }
}
