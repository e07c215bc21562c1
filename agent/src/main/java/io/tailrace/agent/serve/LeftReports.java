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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an earlier agent left in the spools of its models: it is sent though no engine here may ever serve these models again. A spool is let go when it
 * is empty, and before the client of its model takes it. Safe for any number of threads.
 */
final class LeftReports implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeftReports.class);
    private static final String SPOOL = ".spool";
    /** Beneath a model's folder is that of records held apart. */
    private static final int DEPTH = 2;

    private final Map<Path, Reporter> reporters = new LinkedHashMap<>();

    /** None is left where there is no spool. */
    static LeftReports open(Optional<ModelSpools> spools) throws IOException {
        LeftReports left = new LeftReports();
        if (spools.isPresent() && Files.isDirectory(spools.get().folder())) {
            for (Path folder : folders(spools.get().folder())) {
                left.open(folder, spools.get().opener());
            }
        }
        return left;
    }

    private static List<Path> folders(Path parent) throws IOException {
        try (Stream<Path> all = Files.list(parent)) {
            return all.filter(Files::isDirectory).sorted().toList();
        }
    }

    /** A folder that is no spool, or may not be read, is no reason not to open the others. */
    private void open(Path folder, ModelSpools.Opener opener) {
        try {
            if (isUsed(folder)) {
                reporters.put(folder, opener.open(folder));
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("what an earlier agent left in {} is not sent: {}", folder, e.toString());
        }
    }

    private static boolean isUsed(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder, DEPTH)) {
            return all.anyMatch(file -> file.toString().endsWith(SPOOL));
        }
    }

    /** Those that still have something to send. */
    synchronized List<Reporter> reporters() {
        return List.copyOf(reporters.values());
    }

    /** The folder is another's from now on, with what is in it. */
    synchronized void giveUp(Path folder) {
        Reporter reporter = reporters.remove(folder);
        if (reporter != null) {
            reporter.close();
        }
    }

    /** Lets those go that are empty. */
    synchronized void closeEmpty() {
        List<Path> empty = reporters.entrySet().stream()
                .filter(each -> isEmpty(each.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        empty.forEach(this::giveUp);
    }

    private static boolean isEmpty(Reporter reporter) {
        SpoolState state = reporter.spool().orElseThrow();
        return state.pendingRecords() + state.memoryRecords() == 0;
    }

    @Override
    public synchronized void close() {
        List.copyOf(reporters.keySet()).forEach(this::giveUp);
    }
}
