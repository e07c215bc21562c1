package io.tailrace.local.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Flink on one machine as {@code deploy/flink/config.yaml} sets it up, but for addresses, folders and sizes. */
public final class FlinkSettings {
    /** What is of a machine, a store or a monitoring that a run does not have. */
    private static final List<String> LEFT_OUT =
            List.of("metrics.", "s3.", "env.", "jobmanager.memory", "taskmanager.memory", "taskmanager.rpc.port");

    private static final int FRAMEWORK_HEAP_MEGABYTES = 128;

    private FlinkSettings() {}

    /** Writes the shipped settings to where the cluster looks for them. */
    public static void write(Path shipped, Path folder) throws IOException {
        List<String> kept = new ArrayList<>();
        for (String line : Files.readAllLines(shipped)) {
            if (LEFT_OUT.stream().noneMatch(line::startsWith)) {
                kept.add(line);
            }
        }
        Files.write(folder.resolve("config.yaml"), kept);
    }

    /** Of whoever submits a job. */
    static Map<String, String> client(FlinkPlace place) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("rest.address", "127.0.0.1");
        settings.put("rest.port", Integer.toString(place.restPort()));
        settings.put(
                "execution.checkpointing.dir",
                place.state().resolve("checkpoints").toUri().toString());
        settings.put(
                "execution.checkpointing.savepoint-dir",
                place.state().resolve("savepoints").toUri().toString());
        return settings;
    }

    /** Of the processes, as options of theirs. */
    static List<String> process(FlinkPlace place) {
        Map<String, String> settings = client(place);
        settings.put("rest.bind-address", "127.0.0.1");
        settings.put("jobmanager.rpc.address", "127.0.0.1");
        settings.put("jobmanager.rpc.port", Integer.toString(place.rpcPort()));
        settings.put("jobmanager.bind-host", "127.0.0.1");
        settings.put("taskmanager.bind-host", "127.0.0.1");
        settings.put("taskmanager.host", "127.0.0.1");
        settings.put("taskmanager.rpc.port", "0");
        settings.put("blob.server.port", "0");
        // Parts that start take both cores of a small machine: what is slow then is not dead.
        settings.put("heartbeat.timeout", "6s");
        settings.put("io.tmp.dirs", place.tasks().toString());
        settings.put("taskmanager.numberOfTaskSlots", Integer.toString(FlinkPlace.SLOTS));
        settings.put("taskmanager.cpu.cores", "1");
        settings.put("taskmanager.memory.framework.heap.size", FRAMEWORK_HEAP_MEGABYTES + "m");
        settings.put("taskmanager.memory.framework.off-heap.size", FRAMEWORK_HEAP_MEGABYTES + "m");
        settings.put("taskmanager.memory.jvm-metaspace.size", "192m");
        settings.put("taskmanager.memory.jvm-overhead.min", "64m");
        settings.put("taskmanager.memory.jvm-overhead.max", "64m");
        settings.put("taskmanager.memory.task.heap.size", place.heapMegabytes() - FRAMEWORK_HEAP_MEGABYTES + "m");
        settings.put("taskmanager.memory.task.off-heap.size", "0");
        settings.put("taskmanager.memory.network.min", "64m");
        settings.put("taskmanager.memory.network.max", "64m");
        settings.put("taskmanager.memory.managed.size", "0");
        List<String> options = new ArrayList<>();
        settings.forEach((key, value) -> options.add("-D" + key + "=" + value));
        return options;
    }
}
