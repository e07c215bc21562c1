package io.tailrace.cli.experiment;

import io.tailrace.bench.experiment.Comparison;
import io.tailrace.bench.experiment.ResultTable;
import io.tailrace.bench.experiment.Trial;
import io.tailrace.bench.experiment.Trial.Finished;
import io.tailrace.bench.experiment.Trials;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code tailrace bench silos}: silos against a shared index. */
@Command(
        name = "silos",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "What does it cost if each of 1, 2, 4, 8 workers knows its own responses only? Requests are dealt in turn."
        })
public final class SilosCommand extends ExperimentCommand {
    @Override
    List<Trial> trials(Trials trials) {
        return trials.silos();
    }

    @Override
    List<ResultTable> tables(List<Finished> finished) {
        return new Comparison(finished).byStrategy(Comparison.TOKENS);
    }
}
