package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.lab.replay.Strategies;
import io.tailrace.lab.replay.StreamReader;
import io.tailrace.lab.weights.StartingWeights;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.strategy.StrategyChoice;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.Table;
import io.tailrace.terminal.TokenProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One experiment: which trials it needs and which tables it makes of them. */
abstract class ExperimentCommand implements Callable<Integer> {
    static final List<Integer> ALL_BUDGETS = List.of(8, 16, 31);
    static final List<Integer> ONE_BUDGET = List.of(16);

    @Mixin
    Arguments arguments = new Arguments();

    @Spec
    CommandSpec spec;

    /** Strategies it is about. */
    List<String> strategies() {
        return List.of("adaptive");
    }

    /** Budgets it is about. */
    List<Integer> budgets() {
        return ONE_BUDGET;
    }

    /** What a reader of the tables has to know, or nothing. */
    String note() {
        return "";
    }

    abstract List<Trial> trials(Trials trials);

    List<ResultPage.Table> tables(List<Finished> finished) throws IOException {
        return new Comparison(finished).byStrategy(Comparison.ACCEPTED);
    }

    @Override
    public Integer call() throws Exception {
        arguments.check(strategies(), budgets());
        report(finished(trials(newTrials())));
        return ExitCodes.DONE;
    }

    /** The inputs with their weights; the latter are trained here. */
    Trials newTrials() throws InterruptedException {
        List<ReplayStream> streams = arguments.streams();
        List<float[]> weights = arguments.weights(streams, spec.commandLine().getErr());
        return new Trials(streams, weights, arguments.choices(), arguments.budgets());
    }

    List<Finished> finished(List<Trial> trials) throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        TrialStore store =
                TrialStore.open(arguments.results(), arguments.figures().commit());
        TrialStore.Suite suite = new TrialStore.Suite(trials, store);
        if (suite.found() > 0) {
            err.println("%d of %d replays were done before".formatted(suite.found(), trials.size()));
        }
        return TokenProgress.during(
                spec.name(), suite.tokens(), suite::tokensDone, err, () -> suite.run(arguments.threads()));
    }

    void report(List<Finished> finished) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<ResultPage.Table> tables = tables(finished);
        out.println(arguments.weightsLine());
        out.println();
        for (ResultPage.Table result : tables) {
            out.println(result.title());
            Table table = new Table(result.heads().toArray(String[]::new));
            result.rows().forEach(row -> table.row(row.toArray()));
            table.print(out);
            out.println();
        }
        out.flush();
        if (arguments.page() != null) {
            new ResultPage(spec.name()).write(arguments.page(), provenance(), tables);
        }
        if (arguments.figures().isWanted()) {
            Map<String, Object> figures = arguments.figures().begin();
            figures.put("weights", arguments.weightsLine());
            figures.put("tables", tables.stream().map(ResultPage.Table::figures).toList());
            arguments.figures().write(figures);
        }
    }

    /** Command, data, machine, commit, weights. */
    private String provenance() throws IOException {
        String typed = spec.root().commandLine().getParseResult().originalArgs().stream()
                .map(this::withoutFolders)
                .collect(Collectors.joining(" "))
                .replaceAll("(FILE )+FILE|FILE", "FILES");
        String data = arguments.inputs().stream()
                .map(file -> String.valueOf(file.getFileName()))
                .collect(Collectors.joining(", "));
        String note = note().isEmpty() ? "" : "\n\n" + note();
        return "`./tailrace %s`\n\nInputs: %s. %s.\n\n%s%s"
                .formatted(typed, data, arguments.figures().where(), arguments.weightsLine(), note);
    }

    /** Pages name no folders of whoever measured. */
    private String withoutFolders(String argument) {
        boolean input =
                arguments.inputs().stream().anyMatch(file -> file.toString().equals(argument));
        return input ? "FILE" : argument.substring(argument.lastIndexOf('/') + 1);
    }

    /** What all experiments take. */
    static final class Arguments {
        @Mixin
        private StreamReader.Options inputs = new StreamReader.Options();

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
                description =
                        "Replays at a time; figures do not depend on it, but for draft times. Default: ${DEFAULT-VALUE}.")
        private int threads;

        @Option(
                names = "--results",
                paramLabel = "FILE",
                description =
                        "Keeps finished replays there, and takes those that an earlier run of the same commit kept."
                                + " Default: none are kept.")
        private Path results;

        @Option(
                names = "--page",
                paramLabel = "FILE",
                description =
                        "Writes the tables into this Markdown page, in place of what this experiment wrote before.")
        private Path page;

        @Mixin
        private FiguresFile figures = new FiguresFile();

        static final int TRAINED_REQUESTS = 100;

        void check(List<String> strategiesByDefault, List<Integer> budgetsByDefault) throws IOException {
            strategies = strategies == null ? strategiesByDefault : strategies;
            budgets = budgets == null ? budgetsByDefault : budgets;
            choices();
            startingWeights();
            JsonFile.check("--results", results);
            JsonFile.check("--page", page);
            figures.check();
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

        FiguresFile figures() {
            return figures;
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
                    .filter(stream ->
                            stream.cases().stream().noneMatch(request -> workloads.contains(request.workload())))
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
}
