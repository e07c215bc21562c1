package io.tailrace.lab.experiment;

import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.Machine;
import io.tailrace.cli.terminal.Table;
import io.tailrace.cli.terminal.TokenProgress;
import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** One experiment: which trials it needs and which tables it makes of them. */
abstract class ExperimentCommand implements Callable<Integer> {
    static final List<Integer> ALL_BUDGETS = List.of(8, 16, 31);
    static final List<Integer> ONE_BUDGET = List.of(16);

    @Mixin
    ExperimentArguments arguments = new ExperimentArguments();

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

    List<ResultTable> tables(List<Finished> finished) {
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
        TrialStore store = TrialStore.open(arguments.results(), Machine.commit());
        TrialSuite suite = new TrialSuite(trials, store);
        if (suite.found() > 0) {
            err.println("%d of %d replays were done before".formatted(suite.found(), trials.size()));
        }
        return TokenProgress.during(
                spec.name(), suite.tokens(), suite::tokensDone, err, () -> suite.run(arguments.threads()));
    }

    void report(List<Finished> finished) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<ResultTable> tables = tables(finished);
        out.println(arguments.weightsLine());
        out.println();
        for (ResultTable result : tables) {
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
        return "`./tailrace %s`\n\nInputs: %s. %s; commit %s.\n\n%s%s"
                .formatted(typed, data, Machine.describe(), Machine.commit(), arguments.weightsLine(), note);
    }

    /** Pages name no folders of whoever measured. */
    private String withoutFolders(String argument) {
        boolean input =
                arguments.inputs().stream().anyMatch(file -> file.toString().equals(argument));
        return input ? "FILE" : argument.substring(argument.lastIndexOf('/') + 1);
    }
}
