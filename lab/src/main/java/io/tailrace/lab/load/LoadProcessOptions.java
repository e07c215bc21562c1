package io.tailrace.lab.load;

import io.tailrace.lab.recorded.RecordedInputOptions;
import java.nio.file.Path;
import java.util.List;

/**
 * A worker as a process of its own.
 *
 * @param worker the worker
 * @param inputs what it serves, one file after the other; none: it only follows snapshots until it is stopped
 * @param input how they are read
 * @param pace how fast
 * @param metricsHost address of the metrics endpoint
 * @param metricsPort its port; 0: any free one; -1: none
 */
public record LoadProcessOptions(
        LoadWorkerOptions worker,
        List<Path> inputs,
        RecordedInputOptions input,
        PaceOptions pace,
        String metricsHost,
        int metricsPort) {
    public static final int NO_METRICS = -1;

    public LoadProcessOptions {
        inputs = List.copyOf(inputs);
        if (metricsPort < NO_METRICS || metricsPort > 65_535) {
            throw new IllegalArgumentException("metricsPort must be -1 to 65535, got " + metricsPort);
        }
        if (input.vocabularySize() != worker.model().vocabularySize()) {
            throw new IllegalArgumentException("the input's vocabulary size %d must be the model's, %d"
                    .formatted(input.vocabularySize(), worker.model().vocabularySize()));
        }
    }
}
