package io.tailrace.lab.experiment;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.JsonFile;
import io.tailrace.jobs.options.Bounds;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.lab.replay.Strategies;
import io.tailrace.lab.replay.StreamOptions;
import io.tailrace.lab.replay.StreamReader;
import io.tailrace.lab.weights.StartingWeights;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all experiments take. */
final class ExperimentArguments {
    @Mixin
    private StreamOptions inputs = new StreamOptions();

    @Bounds(min = 2)
    @Option(
            names = "--requests",
            defaultValue = "1200",
            paramLabel = "N",
            description = "The first N requests of each input. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Option(
            names = "--strategy",
            split = ",",
            paramLabel = "NAME[:PARAMETER=VALUE]...",
            description = "Strategies, separated by commas. Default: those the question is about.")
    private List<String> strategies;

    @Bounds(min = 0, max = DraftPolicy.BUDGET_MAX)
    @Option(
            names = "--budget",
            split = ",",
            paramLabel = "N",
            description = "Draft tokens a verification, 0 to 64. Default: those the question is about.")
    private List<Integer> budgets;

    @Option(
            names = "--weights",
            defaultValue = "held-out",
            paramLabel = "shipped|untrained|held-out",
            description = "The mixer's weights at the start; held-out: for each input, trained on the first"
                    + " 100 requests of other inputs. Default: ${DEFAULT-VALUE}.")
    private String weights;

    @Bounds(min = 1)
    @Option(
            names = "--threads",
            defaultValue = "1",
            paramLabel = "N",
            description = "Replays at a time; figures do not depend on it. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--results",
            paramLabel = "FILE",
            description = "Keeps finished replays there, and takes those that an earlier run of the same commit kept."
                    + " Default: none are kept.")
    private Path results;

    @Option(
            names = "--page",
            paramLabel = "FILE",
            description = "Writes the tables into this Markdown page, in place of what this experiment wrote before.")
    private Path page;

    static final int TRAINED_REQUESTS = 100;

    void check(List<String> strategiesByDefault, List<Integer> budgetsByDefault) {
        strategies = strategies == null ? strategiesByDefault : strategies;
        budgets = budgets == null ? budgetsByDefault : budgets;
        choices();
        startingWeights();
        JsonFile.check("--results", results);
        JsonFile.check("--page", page);
    }

    StreamReader reader(long requestsMax) {
        return inputs.reader(requestsMax);
    }

    List<Path> inputs() {
        return inputs.files();
    }

    int requests() {
        return requests;
    }

    List<ReplayStream> streams() {
        return inputs.streams(requests);
    }

    List<StrategyChoice> choices() {
        return Strategies.replayable(strategies);
    }

    List<Integer> budgets() {
        return budgets;
    }

    int threads() {
        return threads;
    }

    Path results() {
        return results;
    }

    Path page() {
        return page;
    }

    /** Weights of each stream; with {@code held-out} this trains. */
    List<float[]> weights(List<ReplayStream> streams, PrintWriter err) throws InterruptedException {
        return startingWeights().of(streams, threads, err);
    }

    /** Weights for a stream of these workloads; with {@code held-out} trained on the inputs of all others. */
    float[] weightsWithout(Set<String> workloads, PrintWriter err) throws InterruptedException {
        if (!startingWeights().isHeldOut()) {
            return startingWeights()
                    .of(List.of(new ReplayStream("", List.of())), 1, err)
                    .get(0);
        }
        List<ReplayStream> others = inputs.streams(TRAINED_REQUESTS).stream()
                .filter(stream -> stream.cases().stream().noneMatch(request -> workloads.contains(request.workload())))
                .toList();
        if (others.isEmpty()) {
            throw new BadInputException("--weights held-out needs inputs of other workloads than " + workloads);
        }
        return StartingWeights.trained(others, TRAINED_REQUESTS, err);
    }

    String weightsLine() {
        return startingWeights().line();
    }

    private StartingWeights startingWeights() {
        return StartingWeights.named(weights, TRAINED_REQUESTS);
    }
}
