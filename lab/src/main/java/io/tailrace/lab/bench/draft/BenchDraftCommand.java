package io.tailrace.lab.bench.draft;

import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.replay.Strategies;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.Require;
import io.tailrace.terminal.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench draft}: how long a draft takes on a large lane, in one thread, beside its goals. */
@Command(
        name = "draft",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures drafting on a large lane of recorded answers, in mapped segment files laid out as the job leaves"
                    + " them: one newest, three older.",
            "One request in 50 is held back from the lane and drafted for: one after the other, then 64 at once, a step each in turn (inTurn),"
                    + " then single drafts at places at random of requests at random (random). Requests' first drafts are timed with the others"
                    + " and by themselves (firstDraft), and what can be done before them apart (prepare)."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace bench draft --data recordings --budget 16 --json draft.json")
public final class BenchDraftCommand implements Callable<Integer> {
    private static final int TOKENS_MIN = 10_000;
    private static final int GOAL_BUDGET = 16;
    private static final Map<String, String> GOALS =
            Map.of("draftP50", "<= 12", "draftP99", "<= 40", "allocation", "0");

    @Option(
            names = "--data",
            required = true,
            paramLabel = "FOLDER",
            description = "Folder of recorded requests (*.jsonl, *.jsonl.gz).")
    private Path data;

    @Bounds(min = TOKENS_MIN)
    @Option(
            names = "--tokens",
            defaultValue = "5000000",
            paramLabel = "N",
            description = "Size of the lane in response tokens, at least 10,000. Default: ${DEFAULT-VALUE}.")
    private long tokens;

    @Bounds(min = 1, max = DraftPolicy.BUDGET_MAX)
    @Option(
            names = "--budget",
            defaultValue = "8,16,31",
            split = ",",
            paramLabel = "N",
            description = "Draft tokens a verification. Default: ${DEFAULT-VALUE}.")
    private List<Integer> budgets;

    @Option(
            names = "--strategy",
            defaultValue = "adaptive",
            paramLabel = "NAME",
            description = "Which drafter. Default: ${DEFAULT-VALUE}.")
    private String strategy;

    @Bounds(min = 0)
    @Option(
            names = "--fresh",
            defaultValue = "0",
            paramLabel = "N",
            description = "Own generations of the worker that no segment holds yet. Default: ${DEFAULT-VALUE}.")
    private int fresh;

    @Mixin
    private RecordedInputOptions.Vocabulary vocabulary = new RecordedInputOptions.Vocabulary();

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        DraftBench.Options options = options();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        String where = figures.where();
        DraftBench.Report report = DraftBench.run(options, err::println);
        out.println("%s; data in %s; %s; %,d requests held back; segments of %s tokens"
                .formatted(where, data, strategy, report.requests(), report.segmentTokens()));
        Table table = new Table("what", "budget", "value", "unit", "goal");
        report.rows().forEach(row -> table.row(row.what(), row.budget(), row.value(), row.unit(), goal(row)));
        table.print(out);
        figures.write(json(report));
        return ExitCodes.DONE;
    }

    private DraftBench.Options options() throws IOException {
        figures.check();
        Require.recordings("--data", data);
        return new DraftBench.Options(tokens, data, vocabulary.bound(), budgets, Strategies.parse(strategy), fresh);
    }

    private static String goal(DraftBench.Row row) {
        return row.budget() == GOAL_BUDGET ? GOALS.getOrDefault(row.what(), "-") : "-";
    }

    private Map<String, Object> json(DraftBench.Report report) throws IOException {
        Map<String, Object> result = figures.begin();
        result.put("strategy", strategy);
        result.put("segmentTokens", report.segmentTokens());
        result.put("requests", report.requests());
        result.put("rows", report.rows());
        return result;
    }
}
