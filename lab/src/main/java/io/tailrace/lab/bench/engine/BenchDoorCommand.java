package io.tailrace.lab.bench.engine;

import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.Table;
import io.tailrace.terminal.WorkFolder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench door}: how long an engine's step waits for its drafts. */
@Command(
        name = "door",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures what the door and the agent take of an engine's step: recorded requests are served by an engine"
                    + " that only sleeps, through the Python door and an agent in a process of its own.",
            "Late drafts are waited for and measured, too. The first fifth of each batch's tokens warms up and does"
                    + " not count. Needs Python 3.10 or newer with numpy."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace bench door --input text2sql.jsonl.gz --batch 1 --batch 64")
public final class BenchDoorCommand implements Callable<Integer> {
    @Option(
            names = "--input",
            paramLabel = "FILE",
            required = true,
            description = "Recorded requests, JSON lines, plain or gzip.")
    private Path input;

    @Bounds(min = 1, max = 256)
    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "Concurrent requests, 1 to 256; repeatable. Default: 1, 16 and 64.")
    private List<Integer> batches = new ArrayList<>();

    @Bounds(min = 1)
    @Option(
            names = "--requests",
            defaultValue = "96",
            paramLabel = "N",
            description =
                    "Requests that are served with each batch; four times the batch at least. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Bounds(min = 0)
    @Option(
            names = "--before",
            defaultValue = "400",
            paramLabel = "N",
            description = "Requests that were answered before, and are known. Default: ${DEFAULT-VALUE}.")
    private int before;

    @Option(
            names = "--step",
            defaultValue = "PT0.01S",
            paramLabel = "DURATION",
            description = "What a step of the engine takes, above 0; PT0.01S is 10 ms. Default: ${DEFAULT-VALUE}.")
    private Duration step;

    @Option(
            names = "--python",
            defaultValue = "python3",
            paramLabel = "FILE",
            description = "Python with numpy. Default: ${DEFAULT-VALUE}.")
    private String python;

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        figures.check();
        if (step.isNegative() || step.isZero()) {
            throw new BadInputException("--step must be above 0, got " + step);
        }
        List<Integer> asked = batches.isEmpty() ? List.of(1, 16, 64) : batches;
        PrintWriter out = spec.commandLine().getOut();
        DoorBench.Options options = new DoorBench.Options(input, asked, requests, before, step, python);
        out.println("%s; %s; a step takes %d ms".formatted(figures.where(), input.getFileName(), step.toMillis()));
        out.flush();
        try (WorkFolder work = WorkFolder.open(null, "door")) {
            List<DoorBench.Row> rows = DoorBench.run(options, work.path());
            Table table = new Table(
                    "batch",
                    "steps",
                    "tokens/step",
                    "drafted",
                    "door p50 us",
                    "p99",
                    "told p50",
                    "waited p50",
                    "agent mean");
            rows.forEach(row -> table.row(
                    row.batch(),
                    row.steps(),
                    "%.2f".formatted(row.tokensPerStep()),
                    "%.1f".formatted(row.draftedPerRequest()),
                    row.door().p50(),
                    row.door().p99(),
                    row.told().p50(),
                    row.waited().p50(),
                    row.agentMean()));
            table.print(out);
            Map<String, Object> json = figures.begin();
            json.put("input", input.getFileName().toString());
            json.put("rows", rows);
            figures.write(json);
        }
        return ExitCodes.DONE;
    }
}
