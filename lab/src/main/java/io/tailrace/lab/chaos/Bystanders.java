package io.tailrace.lab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Files beside the folders that a run's processes use, which none of them may touch, whatever a record names. What lies in a folder one level above a
 * worker's cache, or two, is where a name with dots would lead.
 */
final class Bystanders {
    /** From within a worker's cache to one of them, without its ending. */
    static final List<String> WAYS = List.of("../bystander", "../../bystander");

    private static final List<String> NAMES = List.of("bystander.segment", "bystander.sidecar");
    private static final FileTime TIME = FileTime.fromMillis(1_000_000_000_000L);

    private final List<Path> files = new ArrayList<>();

    /** Puts them there. */
    Bystanders(RunFolders run) throws IOException {
        List<Path> folders = new ArrayList<>(List.of(run.root(), run.store(), run.tasks()));
        Truth.WORKERS.forEach(worker -> folders.add(run.worker(worker)));
        for (Path folder : folders) {
            for (String name : NAMES) {
                Path file = Files.writeString(folder.resolve(name), content(folder.resolve(name)));
                files.add(Files.setLastModifiedTime(file, TIME));
            }
        }
    }

    private static String content(Path file) {
        return "nobody's but " + file;
    }

    /** What was done to them, in words; none: nothing. */
    List<String> touched() throws IOException {
        List<String> touched = new ArrayList<>();
        for (Path file : files) {
            if (!Files.exists(file)) {
                touched.add(file + " is gone");
            } else if (!Files.readString(file).equals(content(file))) {
                touched.add(file + " has another content");
            } else if (!Files.getLastModifiedTime(file).equals(TIME)) {
                touched.add(file + " has another time");
            }
        }
        return touched;
    }
}
