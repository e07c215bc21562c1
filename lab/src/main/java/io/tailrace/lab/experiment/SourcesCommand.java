package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code tailrace bench sources}: what the own context and the shared index give, alone and together. */
@Command(
        name = "sources",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "What do the request's own context and the shared index give, alone and together (SuffixDecoding Fig. 7,"
                    + " SAM-Decoding Table 3)? \"shared only\" for strategies with the parameter own."
        })
public final class SourcesCommand extends ExperimentCommand {
    @Override
    List<Trial> trials(Trials trials) {
        return trials.sources();
    }

    @Override
    List<ResultTable> tables(List<Finished> finished) {
        return new Comparison(finished).byStrategy(Comparison.ACCEPTED);
    }
}
