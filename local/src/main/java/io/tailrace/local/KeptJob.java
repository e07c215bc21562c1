package io.tailrace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a job of an earlier process left in Flink's folder. Once its successor has a checkpoint of its own, nothing else is needed. */
record KeptJob(Path folder) {
    private static final Logger LOG = LoggerFactory.getLogger(KeptJob.class);

    /** Where to go on from; null: the folder holds no state. */
    String newest() throws IOException {
        Optional<Path> newest = LocalFlink.KeptState.newest(folder, skipped -> LOG.warn("{}", skipped));
        return newest.map(path -> path.toUri().toString()).orElse(null);
    }

    /** Deletes savepoints, and the checkpoints of other jobs: one run's state is kept, not every run's. */
    void forgetAllBut(JobID job) throws IOException {
        delete(folder.resolve("savepoints"), name -> true);
        delete(folder.resolve("checkpoints"), name -> !name.equals(job.toHexString()));
    }

    private static void delete(Path parent, Predicate<String> names) throws IOException {
        if (!Files.isDirectory(parent)) {
            return;
        }
        try (Stream<Path> children = Files.list(parent)) {
            for (Path child : children.filter(
                            path -> names.test(path.getFileName().toString()))
                    .toList()) {
                delete(child);
            }
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        }
    }
}
