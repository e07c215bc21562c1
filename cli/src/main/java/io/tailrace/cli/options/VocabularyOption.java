package io.tailrace.cli.options;

import io.tailrace.cli.terminal.Require;
import picocli.CommandLine.Option;

/** The bound of token ids. */
public final class VocabularyOption {
    @Option(
            names = "--vocabulary",
            defaultValue = "100277",
            paramLabel = "N",
            description = "Token ids of the inputs are below it. Default: ${DEFAULT-VALUE} (cl100k_base).")
    private int size;

    public void check() {
        Require.atLeast("--vocabulary", 1, size);
    }

    public int size() {
        return size;
    }
}
