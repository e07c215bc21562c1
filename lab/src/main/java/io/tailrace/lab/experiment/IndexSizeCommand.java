package io.tailrace.lab.experiment;

import io.tailrace.jobs.options.Bounds;
import io.tailrace.lab.experiment.Trial.Finished;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tailrace bench index-size}: what a larger index gives. */
@Command(
        name = "index-size",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "What does a larger shared index give (SuffixDecoding Fig. 8)? The last requests of each input are drafted"
                    + " from the 256, 512, ... responses before them, from all of them, and from all inputs together;"
                    + " nothing is added meanwhile. Inputs with fewer than 256 responses before are left out.",
            "Give --requests above 1200 for larger indexes."
        })
public final class IndexSizeCommand extends ExperimentCommand {
    @Bounds(min = 2)
    @Option(
            names = "--evaluated",
            defaultValue = "300",
            paramLabel = "N",
            description = "Requests at each input's end that are drafted for. Default: ${DEFAULT-VALUE}.")
    private int evaluated;

    @Override
    List<Trial> trials(Trials trials) {
        return trials.indexSizes(evaluated);
    }

    @Override
    List<ResultTable> tables(List<Finished> finished) {
        return new Comparison(finished).byStrategy(Comparison.ACCEPTED);
    }
}
