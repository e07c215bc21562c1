package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code tailrace bench freshness}: the cost of a late index. */
@Command(
        name = "freshness",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {"What does it cost if finished responses enter the index 1, 8, 64 or 512 at a time?"})
public final class FreshnessCommand extends ExperimentCommand {
    @Override
    List<Trial> trials(Trials trials) {
        return trials.freshness();
    }

    @Override
    List<ResultTable> tables(List<Finished> finished) {
        return new Comparison(finished).byStrategy(Comparison.ACCEPTED);
    }
}
