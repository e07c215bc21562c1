package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code tailrace bench sampling}: drafts on sampled text. */
@Command(
        name = "sampling",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "What does drafting give on text sampled at different temperatures? Each input is the output at one of them; with"
                    + " the rule that samples once and follows the draft where it agrees, verification keeps the"
                    + " distribution."
        })
public final class SamplingCommand extends StrategyComparison {
    @Override
    List<ResultTable> tables(List<Finished> finished) {
        return new Comparison(finished).byBudget(Comparison.TOKENS);
    }
}
