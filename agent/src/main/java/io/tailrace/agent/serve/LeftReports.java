package io.tailrace.agent.serve;

import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.SpoolState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an earlier agent left in the spools of its models: it is sent though no engine here may ever serve these models again. A spool is let go when it
 * is empty, and before the client of its model takes it. Safe for any number of threads; who looks waits for none that closes.
 */
final class LeftReports implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeftReports.class);
    private static final String SPOOL = ".spool";
    /** Beneath a model's folder is that of records held apart. */
    private static final int DEPTH = 2;

    private final Optional<ModelSpools> spools;
    /** Opening and closing takes its time. */
    private final ReentrantLock changing = new ReentrantLock();

    private final Map<Path, Reporter> reporters = new LinkedHashMap<>();
    /** The same; replaced under the lock, read without. */
    private volatile Open open = new Open(List.of(), 0);

    private boolean closed;

    /** Those that are open, and what those have failed to bring that are closed. */
    private record Open(List<Reporter> reporters, long failuresBefore) {}

    private LeftReports(Optional<ModelSpools> spools) {
        this.spools = spools;
    }

    /** None is left where there is no spool. */
    static LeftReports open(Optional<ModelSpools> spools) throws IOException {
        LeftReports left = new LeftReports(spools);
        if (spools.isPresent() && Files.isDirectory(spools.get().folder())) {
            for (Path folder : folders(spools.get().folder())) {
                left.take(folder);
            }
        }
        return left;
    }

    private static List<Path> folders(Path parent) throws IOException {
        try (Stream<Path> all = Files.list(parent)) {
            return all.filter(Files::isDirectory).sorted().toList();
        }
    }

    /**
     * Sends what is in a folder from now on, if there is something. One that is no spool, or may not be read, is no reason not to send what is in
     * others.
     */
    void take(Path folder) {
        changing.lock();
        try {
            if (!closed && spools.isPresent() && isUsed(folder)) {
                reporters.put(folder, spools.get().opener().open(folder));
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("what was left in {} is not sent: {}", folder, e.toString());
        } finally {
            list(0);
            changing.unlock();
        }
    }

    private void list(long failures) {
        open = new Open(List.copyOf(reporters.values()), open.failuresBefore + failures);
    }

    private static boolean isUsed(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder, DEPTH)) {
            return all.anyMatch(file -> file.toString().endsWith(SPOOL));
        }
    }

    /** Those that still have something to send. */
    List<Reporter> reporters() {
        return open.reporters;
    }

    /** Reports that these failed to bring, and those that were closed. */
    long failures() {
        Open now = open;
        return now.failuresBefore
                + now.reporters.stream().mapToLong(Reporter::failures).sum();
    }

    /** The folder is another's from now on, with what is in it. */
    void giveUp(Path folder) {
        changing.lock();
        try {
            Reporter reporter = reporters.remove(folder);
            if (reporter != null) {
                list(reporter.failures());
                reporter.close();
            }
        } finally {
            changing.unlock();
        }
    }

    /** Lets those go that are empty; later, where another opens or closes. */
    void closeEmpty() {
        if (open.reporters.isEmpty() || !changing.tryLock()) {
            return;
        }
        try {
            List<Path> empty = reporters.entrySet().stream()
                    .filter(each -> isEmpty(each.getValue()))
                    .map(Map.Entry::getKey)
                    .toList();
            empty.forEach(this::giveUp);
        } finally {
            changing.unlock();
        }
    }

    private static boolean isEmpty(Reporter reporter) {
        SpoolState state = reporter.spool().orElseThrow();
        return state.pendingRecords() + state.memoryRecords() == 0;
    }

    @Override
    public void close() {
        changing.lock();
        try {
            closed = true;
            List.copyOf(reporters.keySet()).forEach(this::giveUp);
        } finally {
            changing.unlock();
        }
    }
}
