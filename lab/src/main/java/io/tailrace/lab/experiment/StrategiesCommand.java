package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code tailrace bench strategies}: what each strategy gives at equal budgets. */
@Command(
        name = "strategies",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "What does each strategy give at equal budgets? Second half of each input counted, index updated after every"
                    + " request.",
            "By default the published methods at their published and at their best settings for an equal budget."
        })
public final class StrategiesCommand extends StrategyComparison {
    @Override
    List<Integer> budgets() {
        return ALL_BUDGETS;
    }

    @Override
    List<ResultTable> tables(List<Finished> finished) {
        return new Comparison(finished).byBudget(Comparison.ACCEPTED);
    }
}
