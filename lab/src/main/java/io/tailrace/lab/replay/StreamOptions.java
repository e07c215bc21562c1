package io.tailrace.lab.replay;

import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.VocabularyOption;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Recorded requests, one workload a file. */
public final class StreamOptions {
    @Option(
            names = "--input",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Recorded requests as JSON lines, plain or gzip; several or repeated, one workload each.")
    private List<Path> files;

    @Mixin
    private VocabularyOption vocabulary = new VocabularyOption();

    public List<Path> files() {
        return files;
    }

    /** Reads the first requests of a file. */
    public StreamReader reader(long requestsMax) {
        return new StreamReader(RecordedInputOptions.of(vocabulary.bound()), requestsMax, null);
    }

    /** The first requests of each file. */
    public List<ReplayStream> streams(long requestsMax) {
        StreamReader reader = reader(requestsMax);
        return files.stream().map(reader::file).toList();
    }
}
