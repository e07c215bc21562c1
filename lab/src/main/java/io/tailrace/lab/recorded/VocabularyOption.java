package io.tailrace.lab.recorded;

import io.tailrace.jobs.options.Bounds;
import picocli.CommandLine.Option;

/** A check of token ids, where one is wanted. */
public final class VocabularyOption {
    @Bounds(min = 1)
    @Option(
            names = "--vocabulary",
            hidden = true,
            paramLabel = "N",
            description =
                    "Refuse inputs with a token id that is not below it: 100277 for cl100k_base, 128256 for Llama 3."
                            + " Default: any id of 0 and more.")
    private Integer size;

    /** What was given, or {@link RecordedInputOptions#UNBOUNDED}. */
    public int bound() {
        return size == null ? RecordedInputOptions.UNBOUNDED : size;
    }
}
