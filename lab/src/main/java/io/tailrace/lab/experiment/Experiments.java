package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.suffix.strategy.StrategyChoice;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
        List<ResultPage.Table> tables(List<Finished> finished) {
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
        List<ResultPage.Table> tables(List<Finished> finished) {
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
        List<ResultPage.Table> tables(List<Finished> finished) {
            return new Comparison(finished).byBudget(Comparison.TOKENS);
        }
    }

    /** An experiment that sets strategies side by side, by default the published ones, under short names. */
    private abstract static class StrategyComparison extends ExperimentCommand {
        @Override
        List<String> strategies() {
            return Compared.texts();
        }

        @Override
        String note() {
            return Compared.legend();
        }

        @Override
        List<Trial> trials(Trials trials) {
            return trials.strategyTrials(Compared::label);
        }
    }

    /**
     * Who is compared by default: each published method as it is published, and at its best for an equal budget. Token Recycling
     * drafts from the model's own candidates, which recordings do not hold: its stand-in follows the tokens seen to follow.
     */
    enum Compared {
        ADAPTIVE("adaptive", "adaptive"),
        NONE("none", "none"),
        PROMPT_LOOKUP("prompt-lookup", "prompt-lookup"),
        TOKEN_RECYCLING("token-recycling, stand-in", "token-recycling:observed=true"),
        SAM("sam-decoding", "sam-decoding"),
        SAM_BEST("sam-decoding, best", "sam-decoding:bias=0:tree=true"),
        SUFFIX("suffix-decoding", "suffix-decoding"),
        SUFFIX_BEST("suffix-decoding, best", "suffix-decoding:factor=1000:probability=0.02:tree=true"),
        SUFFIX_TUNED(
                "suffix-decoding, tuned here",
                "suffix-decoding:factor=1000:probability=0.02:tree=true:first-found=true");

        private final String label;
        private final String text;

        Compared(String label, String text) {
            this.label = label;
            this.text = text;
        }

        /** As options say them. */
        static List<String> texts() {
            return List.of(values()).stream().map(one -> one.text).toList();
        }

        /** A short name, or the choice as it was written. */
        static String label(StrategyChoice choice) {
            return List.of(values()).stream()
                    .filter(one -> one.text.equals(choice.text()))
                    .map(one -> one.label)
                    .findFirst()
                    .orElse(choice.text());
        }

        /** What the short names mean. */
        static String legend() {
            StringBuilder legend = new StringBuilder();
            for (Compared one : values()) {
                if (!one.label.equals(one.text)) {
                    legend.append(legend.isEmpty() ? "" : "; ")
                            .append(one.label)
                            .append(" = `")
                            .append(one.text)
                            .append('`');
                }
            }
            return legend.toString();
        }
    }

    /** {@code tailrace bench offline-shift}: what a sudden shift of the traffic costs. */
    @Command(
            name = "offline-shift",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "What does a sudden shift of the traffic cost, against an index built beforehand for the new traffic"
                        + " (SuffixDecoding Fig. 9)? The order changes its workload once; half of the new traffic is held back"
                        + " for the index built beforehand.",
                "--requests is how many before and after the shift are replayed. The two workloads of the order are inputs;"
                        + " with --weights held-out, weights are trained on further inputs."
            })
    public static final class Shift extends ExperimentCommand {
        @Option(
                names = "--order",
                required = true,
                paramLabel = "FILE",
                description = "JSON lines with workload and id, which change their workload once.")
        private Path order;

        private ShiftTrials shift;

        @Override
        Trials newTrials() throws InterruptedException {
            ReplayStream whole = arguments.reader(Long.MAX_VALUE).ordered(order, arguments.inputs());
            try {
                shift = ShiftTrials.of(whole.inOneScope(), arguments.requests(), arguments.requests());
            } catch (IllegalArgumentException e) {
                throw new BadInputException("--order %s: %s".formatted(order, e.getMessage()), e);
            }
            float[] weights = arguments.weightsWithout(
                    workloads(whole), spec.commandLine().getErr());
            return new Trials(List.of(whole), List.of(weights), arguments.choices(), arguments.budgets());
        }

        @Override
        List<Trial> trials(Trials trials) {
            return shift.trials(trials.weights().get(0), trials.strategies(), trials.budgets());
        }

        private static Set<String> workloads(ReplayStream stream) {
            return stream.cases().stream().map(ReplayCase::workload).collect(Collectors.toSet());
        }

        @Override
        List<ResultPage.Table> tables(List<Finished> finished) {
            return shift.tables(finished);
        }
    }
}
