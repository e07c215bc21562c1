package io.tailrace.lab.chaos;

import io.tailrace.local.cluster.FlinkPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where a run has what. Everything that its processes may touch is below the root. */
record RunFolders(Path root) {
    private static final int TASKMANAGER_HEAP_MEGABYTES = 512;

    /** Makes them, those that are to get full on disks of their own. */
    Disks make(Disks disks) throws IOException, InterruptedException {
        disks.add(broker());
        disks.add(store());
        disks.add(tasks());
        for (String worker : Truth.WORKERS) {
            disks.add(worker(worker));
        }
        for (Path folder : List.of(segments(), state(), told(), logs(), temporary(), clocks(), configuration())) {
            Files.createDirectories(folder);
        }
        return disks;
    }

    Path broker() {
        return root.resolve("broker");
    }

    /** The disk that stands for an object store. */
    Path store() {
        return root.resolve("store");
    }

    Path segments() {
        return store().resolve("segments");
    }

    /** Checkpoints and savepoints. */
    Path state() {
        return store().resolve("state");
    }

    /** TaskManagers' temporary files. */
    Path tasks() {
        return root.resolve("tasks");
    }

    /** A worker's cache and spool. */
    Path worker(String name) {
        return root.resolve(name);
    }

    /** Which answers somebody has whole. */
    Path told() {
        return root.resolve("told");
    }

    Path told(String worker) {
        return told().resolve(worker + ".ids");
    }

    Path logs() {
        return root.resolve("logs");
    }

    Path log(String name) {
        return logs().resolve(name + ".log");
    }

    Path temporary() {
        return root.resolve("tmp");
    }

    Path clocks() {
        return root.resolve("clocks");
    }

    Path configuration() {
        return root.resolve("conf");
    }

    FlinkPlace flink(int restPort, int rpcPort) {
        return new FlinkPlace(configuration(), state(), tasks(), restPort, rpcPort, TASKMANAGER_HEAP_MEGABYTES);
    }

    /** While it is there, workers serve nothing. */
    Path quiet() {
        return root.resolve("quiet");
    }
}
