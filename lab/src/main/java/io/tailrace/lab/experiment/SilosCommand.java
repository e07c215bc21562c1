package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
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
