package io.tailrace.lab.bench.index;

import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.Require;
import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench index}: the index in one thread, beside its goals. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures building, merging, opening and searching a segment, and extending a request's automaton. Of recorded requests it also builds and merges what the job keeps of prompts (WithPrompts).",
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace bench index",
            "  tailrace bench index --tokens 1000000 --data recordings --json index.json"
        })
public final class BenchIndexCommand implements Callable<Integer> {
    private static final int TOKENS_MIN = 10_000;
    private static final Map<String, String> GOALS = Map.of(
            "build", ">= 2",
            "open", "<= 20",
            "nearestP50", "<= 3",
            "nearestP99", "<= 12",
            "append", ">= 5",
            "bytesPerToken", "<= 10");

    @Bounds(min = TOKENS_MIN)
    @Option(
            names = "--tokens",
            defaultValue = "5000000",
            paramLabel = "N",
            description = "Size of the segment in tokens, at least 10,000. Default: ${DEFAULT-VALUE}.")
    private long tokens;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            description = "Take the recorded requests (*.jsonl.gz) in this folder. Default: synthetic ones.")
    private Path data;

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        figures.check();
        if (data != null) {
            Require.recordings("--data", data);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("%s; %s".formatted(figures.where(), data == null ? "synthetic documents" : "data in " + data));
        out.flush();
        IndexBench.Report report = IndexBench.run(new IndexBench.Options(tokens, data));
        Table table = new Table("what", "tokens", "value", "unit", "goal at 5M");
        report.rows()
                .forEach(row -> table.row(
                        row.what(), row.tokens(), row.value(), row.unit(), GOALS.getOrDefault(row.what(), "-")));
        table.print(out);
        Map<String, Object> result = figures.begin();
        result.put("rows", report.rows());
        figures.write(result);
        return ExitCodes.DONE;
    }
}
