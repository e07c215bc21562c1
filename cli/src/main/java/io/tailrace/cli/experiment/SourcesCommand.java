package io.tailrace.cli.experiment;

import io.tailrace.bench.experiment.Comparison;
import io.tailrace.bench.experiment.ResultTable;
import io.tailrace.bench.experiment.Trial;
import io.tailrace.bench.experiment.Trial.Finished;
import io.tailrace.bench.experiment.Trials;
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
