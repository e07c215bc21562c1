package io.tailrace.cli.serving;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.worker.serve.DraftOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What drafts for a served model, and whether drafts are cut to what pays. */
@Command(optionListHeading = "Drafting")
public final class ServedDraftOptions {
    @Option(
            names = "--strategy",
            defaultValue = "adaptive",
            paramLabel = "NAME[:PARAMETER=VALUE]...",
            description = "What drafts. Default: ${DEFAULT-VALUE}.")
    private String strategy;

    @Option(
            names = "--whole-drafts",
            hidden = true,
            description = "Verify whole drafts, also where measured step times say that it does not pay. Default: off.")
    private boolean wholeDrafts;

    @Bounds(min = 0, max = DraftPolicy.BUDGET_MAX)
    @Option(
            names = "--budget",
            defaultValue = "16",
            paramLabel = "N",
            description = "Most draft tokens a verification; a lane's policy may say less. Default: ${DEFAULT-VALUE}.")
    private int budget;

    public int budget() {
        return budget;
    }

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
