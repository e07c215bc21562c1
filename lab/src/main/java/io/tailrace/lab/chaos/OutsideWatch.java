package io.tailrace.lab.chaos;

import io.tailrace.local.cluster.ChildProcess;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Notes files that a run's processes touch though they are none of the run's. Looks now and then at what each process has open for writing, where the
 * system shows it, and at the end at what lies beside the run's folders. What is opened and closed between two looks outside of them it misses.
 */
final class OutsideWatch {
    private static final long EVERY_NANOS = 3_000_000_000L;
    private static final int ACCESS_MODE = 3;

    private final Path root;
    private final Set<String> expected;
    private final Set<String> touched = new TreeSet<>();
    private long lookedAt = System.nanoTime() - EVERY_NANOS;

    /** @param root of the run, with everything in it that is to be */
    OutsideWatch(Path root) throws IOException {
        this.root = root;
        this.expected = new TreeSet<>(children(root));
        expected.addAll(List.of("quiet", "told.ids", "audit.json"));
    }

    /** Looks, unless it has just looked. */
    void look(Collection<ChildProcess> processes) {
        if (System.nanoTime() - lookedAt < EVERY_NANOS) {
            return;
        }
        lookedAt = System.nanoTime();
        for (ChildProcess process : processes) {
            if (process.alive()) {
                look(process);
            }
        }
    }

    private void look(ChildProcess process) {
        long pid = process.pid();
        Set<String> seen = new TreeSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path descriptor : descriptors) {
                foreign(descriptor).ifPresent(file -> seen.add(process.name() + " has " + file + " open for writing"));
            }
        } catch (IOException goneMeanwhile) {
            // It has ended, or the system does not show it.
        }
        if (process.alive() && process.pid() == pid) { // or the number may be another process's by now
            touched.addAll(seen);
        }
    }

    /** The file behind a descriptor, if it is none of the run's and may be written. */
    private Optional<Path> foreign(Path descriptor) {
        try {
            Path file = Files.readSymbolicLink(descriptor);
            boolean own =
                    !file.isAbsolute() || file.startsWith(root) || file.startsWith("/dev") || file.startsWith("/proc");
            return own || file.toString().endsWith(".jar") || !mayBeWritten(descriptor)
                    ? Optional.empty()
                    : Optional.of(file);
        } catch (IOException closedMeanwhile) {
            return Optional.empty();
        }
    }

    private static boolean mayBeWritten(Path descriptor) throws IOException {
        Path info = descriptor.resolveSibling("../fdinfo").normalize().resolve(descriptor.getFileName());
        for (String line : Files.readAllLines(info)) {
            if (line.startsWith("flags:")) {
                return (Long.parseLong(line.substring("flags:".length()).strip(), 8) & ACCESS_MODE) != 0;
            }
        }
        return false;
    }

    /** What was touched, in words; none: nothing. */
    List<String> touched() throws IOException {
        List<String> all = new ArrayList<>(touched);
        for (String child : children(root)) {
            if (!expected.contains(child)) {
                all.add(root.resolve(child) + " is there, and none of the run's");
            }
        }
        return all;
    }

    private static List<String> children(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
            children.forEach(child -> names.add(child.getFileName().toString()));
        }
        return names;
    }
}
