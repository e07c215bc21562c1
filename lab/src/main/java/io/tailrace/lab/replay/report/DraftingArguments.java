package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.lab.replay.SimulatedSpeculation;
import io.tailrace.lab.replay.Strategies;
import io.tailrace.lab.weights.StartingWeights;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.strategy.StrategyChoice;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Who drafts, how much, and with which weights. */
@Command(optionListHeading = "Drafting")
final class DraftingArguments {
    private static final String ASSUMED = "an A100 by its data sheet, weights in 16 bits";

    @Option(
            names = "--strategy",
            defaultValue = "adaptive",
            split = ",",
            paramLabel = "NAME[:PARAMETER=VALUE]...",
            description = "Strategies, separated by commas; see --list-strategies. Default: ${DEFAULT-VALUE}.")
    private List<String> strategies;

    @Bounds(min = 0, max = DraftPolicy.BUDGET_MAX)
    @Option(
            names = "--budget",
            defaultValue = "8,16,31",
            split = ",",
            paramLabel = "N",
            description = "Draft tokens a verification, 0 to 64. Default: ${DEFAULT-VALUE}.")
    private List<Integer> budgets;

    @Option(
            names = "--weights",
            defaultValue = "shipped",
            paramLabel = "shipped|untrained|held-out",
            description =
                    "The mixer's weights at the start. shipped: the product's, right for your own logs; untrained:"
                            + " none, it learns from the replayed requests alone; held-out: for each input, trained on other"
                            + " inputs, right for recordings that the shipped weights were trained on. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String weights;

    @Option(
            names = "--cost",
            defaultValue = AssumedCost.DEFAULT,
            paramLabel = "TOKENS:TIME,...",
            description =
                    "Time of a step by all tokens that it verifies, those of --batch requests together, relative to one"
                            + " token, for estimated speed-ups; straight lines between points. The default is an A100 by its"
                            + " data sheet with weights in 16 bits, where reading them sets the pace up to 150 tokens."
                            + " Default: ${DEFAULT-VALUE}.")
    private String cost;

    @Bounds(min = 1)
    @Option(
            names = "--threads",
            defaultValue = "1",
            paramLabel = "N",
            description = "Runs at a time. Figures do not depend on it; draft times do. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--speculate",
            hidden = true,
            paramLabel = "MICROS[:PREPARERS],...",
            description =
                    "Also simulates a speculation cache: drafts for likely endings, prepared while the model"
                            + " verifies, for draft sources that take so long a draft and prepare so many at a time (default"
                            + " 1). Entries that are not ready in time count as misses. Draft times then hold the wider drafts.")
    private String speculate;

    @Bounds(min = 1, max = DraftPolicy.BUDGET_MAX)
    @Option(
            names = "--cache-entries",
            hidden = true,
            defaultValue = "14",
            paramLabel = "N",
            description = "Most endings that a source prepares for in a step. Default: ${DEFAULT-VALUE}.")
    private int cacheEntries;

    @Bounds(min = 1)
    @Option(
            names = "--step-micros",
            defaultValue = "20000",
            paramLabel = "N",
            description = "How long a step takes on your server that gives each request one token, for estimated times."
                    + " Default: ${DEFAULT-VALUE}.")
    private long stepMicros;

    @Bounds(min = 1)
    @Option(
            names = "--batch",
            defaultValue = "8",
            paramLabel = "N",
            description = "Requests that share a step on your server, for estimated speed-ups and GPU hours. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int batch;

    /** What steps are taken to cost. */
    CostProfile profile() {
        boolean assumed = cost.equals(AssumedCost.DEFAULT);
        return new CostProfile(assumed ? ASSUMED : "step times as given", stepMicros, cost());
    }

    SimulatedSpeculation speculation() {
        return speculate == null
                ? SimulatedSpeculation.NONE
                : new SimulatedSpeculation(
                        option("--speculate", speculate, SimulatedSpeculation::parse), cacheEntries, stepMicros);
    }

    void check() {
        speculation();
        choices();
        cost();
        startingWeights();
    }

    List<StrategyChoice> choices() {
        return Strategies.replayable(strategies);
    }

    List<Integer> budgets() {
        return budgets;
    }

    AssumedCost cost() {
        return option("--cost", cost, AssumedCost::parse).sharedBy(batch);
    }

    int threads() {
        return threads;
    }

    String weightsName() {
        return weights;
    }

    String weightsLine() {
        return startingWeights().line();
    }

    /** Weights of each stream; with {@code held-out} this trains. */
    List<float[]> weights(List<ReplayStream> streams, PrintWriter err) throws InterruptedException {
        return startingWeights().of(streams, threads, err);
    }

    private StartingWeights startingWeights() {
        return StartingWeights.named(weights, Integer.MAX_VALUE);
    }

    private static <T> T option(String name, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(name + ": " + e.getMessage(), e);
        }
    }
}
