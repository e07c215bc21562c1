package io.tailrace.cli.options;

import io.tailrace.worker.serve.DraftOptions;
import picocli.CommandLine.Option;

/** What drafts for a served model, and whether drafts are cut to what pays. */
public final class ServedDraftOptions {
    @Option(
            names = "--strategy",
            defaultValue = "adaptive",
            paramLabel = "NAME[:PARAMETER=VALUE]...",
            description = "What drafts. Default: ${DEFAULT-VALUE}.")
    private String strategy;

    @Option(
            names = "--whole-drafts",
            description = "Verify whole drafts, also where measured step times say that it does not pay. Default: off.")
    private boolean wholeDrafts;

    /** As it was given. */
    public String strategy() {
        return strategy;
    }

    /** As a worker takes them. */
    public DraftOptions draftOptions() {
        return new DraftOptions(strategy, !wholeDrafts);
    }
}
