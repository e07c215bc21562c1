package io.tailrace.cli.experiment;

import io.tailrace.bench.replay.ReplayRun;
import io.tailrace.bench.replay.ReplayStream;
import io.tailrace.bench.replay.StreamReader;
import io.tailrace.bench.replay.WeightChoice;
import io.tailrace.bench.replay.WeightTraining;
import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.JsonFile;
import io.tailrace.cli.terminal.Require;
import io.tailrace.cli.terminal.TokenProgress;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.strategy.StrategyChoice;
import io.tailrace.worker.replay.ReplayInputOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Option;

/** What all experiments take. */
final class ExperimentArguments {
    @Option(
            names = "--input",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Recorded requests as JSON lines, plain or gzip; several or repeated, one workload each.")
    private List<Path> inputs;

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

    @Option(
            names = "--budgets",
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

    @Option(
            names = "--vocabulary",
            defaultValue = "100277",
            paramLabel = "N",
            description = "Token ids are below it. Default: ${DEFAULT-VALUE} (cl100k_base).")
    private int vocabulary;

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
        Require.atLeast("--requests", 2, requests);
        Require.atLeast("--vocabulary", 1, vocabulary);
        Require.atLeast("--threads", 1, threads);
        budgets.forEach(budget -> Require.between("--budgets", 0, DraftPolicy.BUDGET_MAX, budget));
        choices();
        weightChoice();
        JsonFile.check("--results", results);
        JsonFile.check("--page", page);
    }

    StreamReader reader(long requestsMax) {
        return new StreamReader(ReplayInputOptions.of(vocabulary), requestsMax, null);
    }

    List<Path> inputs() {
        return inputs;
    }

    int requests() {
        return requests;
    }

    List<ReplayStream> streams() {
        StreamReader reader = reader(requests);
        return inputs.stream().map(reader::file).toList();
    }

    List<StrategyChoice> choices() {
        try {
            return strategies.stream()
                    .map(StrategyChoice::parse)
                    .map(ReplayRun::requireReplayable)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--strategy: " + e.getMessage(), e);
        }
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
        WeightChoice choice = weightChoice();
        if (choice == WeightChoice.HELD_OUT && streams.size() < 2) {
            throw new BadInputException("--weights held-out needs at least 2 inputs to train on others, got 1");
        }
        long tokens = choice == WeightChoice.HELD_OUT ? WeightTraining.heldOutTokens(streams, TRAINED_REQUESTS) : 0;
        AtomicLong done = new AtomicLong();
        WeightTraining training = new WeightTraining(TRAINED_REQUESTS, done::addAndGet);
        return TokenProgress.during(
                "training", tokens, done::get, err, () -> choice.weights(streams, training, threads));
    }

    /** Weights for a stream of these workloads; with {@code held-out} trained on the inputs of all others. */
    float[] weightsWithout(Set<String> workloads, PrintWriter err) throws InterruptedException {
        WeightChoice choice = weightChoice();
        if (choice != WeightChoice.HELD_OUT) {
            WeightTraining none = new WeightTraining(0, tokens -> {});
            return choice.weights(List.of(new ReplayStream("", List.of())), none, 1)
                    .get(0);
        }
        StreamReader reader = reader(TRAINED_REQUESTS);
        List<ReplayStream> others = inputs.stream()
                .map(reader::file)
                .filter(stream -> stream.cases().stream().noneMatch(request -> workloads.contains(request.workload())))
                .toList();
        if (others.isEmpty()) {
            throw new BadInputException("--weights held-out needs inputs of other workloads than " + workloads);
        }
        AtomicLong done = new AtomicLong();
        long tokens = others.stream().mapToLong(ReplayStream::tokens).sum();
        WeightTraining training = new WeightTraining(TRAINED_REQUESTS, done::addAndGet);
        return TokenProgress.during("training", tokens, done::get, err, () -> training.train(others));
    }

    private WeightChoice weightChoice() {
        return WeightChoice.named(weights)
                .orElseThrow(() ->
                        new BadInputException("--weights must be shipped, untrained or held-out, got " + weights));
    }
}
