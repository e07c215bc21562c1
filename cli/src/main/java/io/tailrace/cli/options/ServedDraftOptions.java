package io.tailrace.cli.options;

import io.tailrace.cli.terminal.BadInputException;
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

    /** As a worker takes them; refused if there is no such strategy, before a model is loaded for it. */
    public DraftOptions draftOptions() {
        DraftOptions options = new DraftOptions(strategy, !wholeDrafts);
        try {
            options.check();
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
        return options;
    }
}
