package io.tailrace.lab.recorded;

import io.tailrace.cli.terminal.Require;
import picocli.CommandLine.Option;

/** A check of token ids, where one is wanted. */
public final class VocabularyOption {
    @Option(
            names = "--vocabulary",
            paramLabel = "N",
            description =
                    "Refuse inputs with a token id that is not below it: 100277 for cl100k_base, 128256 for Llama 3."
                            + " Default: any id of 0 and more.")
    private Integer size;

    public void check() {
        Require.atLeast("--vocabulary", 1, bound());
    }

    /** What was given, or {@link RecordedInputOptions#UNBOUNDED}. */
    public int bound() {
        return size == null ? RecordedInputOptions.UNBOUNDED : size;
    }
}
