package io.tailrace.lab.experiment;

import io.tailrace.jobs.options.Bounds;
import io.tailrace.lab.experiment.Trial.Finished;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The experiments that only choose trials and a figure: each is a question and the few lines that answer it. */
public final class Experiments {
    private Experiments() {}

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
    public static final class Strategies extends StrategyComparison {
        @Override
        List<Integer> budgets() {
            return ALL_BUDGETS;
        }

        @Override
        List<ResultTable> tables(List<Finished> finished) {
            return new Comparison(finished).byBudget(Comparison.ACCEPTED);
        }
    }

    /** {@code tailrace bench sources}: what the own context and the shared index give, alone and together. */
    @Command(
            name = "sources",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "What do the request's own context and the shared index give, alone and together (SuffixDecoding Fig. 7,"
                        + " SAM-Decoding Table 3)? \"shared only\" for strategies with the parameter own."
            })
    public static final class Sources extends ExperimentCommand {
        @Override
        List<Trial> trials(Trials trials) {
            return trials.sources();
        }
    }

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
    public static final class IndexSize extends ExperimentCommand {
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
    }

    /** {@code tailrace bench silos}: silos against a shared index. */
    @Command(
            name = "silos",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "What does it cost if each of 1, 2, 4, 8 workers knows its own responses only? Requests are dealt in turn."
            })
    public static final class Silos extends ExperimentCommand {
        @Override
        List<Trial> trials(Trials trials) {
            return trials.silos();
        }

        @Override
        List<ResultTable> tables(List<Finished> finished) {
            return new Comparison(finished).byStrategy(Comparison.TOKENS);
        }
    }

    /** {@code tailrace bench freshness}: the cost of a late index. */
    @Command(
            name = "freshness",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {"What does it cost if finished responses enter the index 1, 8, 64 or 512 at a time?"})
    public static final class Freshness extends ExperimentCommand {
        @Override
        List<Trial> trials(Trials trials) {
            return trials.freshness();
        }
    }

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
    public static final class Sampling extends StrategyComparison {
        @Override
        List<ResultTable> tables(List<Finished> finished) {
            return new Comparison(finished).byBudget(Comparison.TOKENS);
        }
    }

    /** An experiment that sets strategies side by side, by default the published ones, under short names. */
    private abstract static class StrategyComparison extends ExperimentCommand {
        @Override
        List<String> strategies() {
            return ComparedStrategies.texts();
        }

        @Override
        String note() {
            return ComparedStrategies.legend();
        }

        @Override
        List<Trial> trials(Trials trials) {
            return trials.strategyTrials(ComparedStrategies::label);
        }
    }
}
