package io.tailrace.lab.bench.loop;

import io.tailrace.client.follow.FreshFrom;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.replay.NoLag;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.StreamReader;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.Table;
import io.tailrace.terminal.WorkFolder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench fleet}: what sharing gives a fleet, through the whole loop. */
@Command(
        name = "fleet",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves recorded requests, each file by itself, through the whole loop: a broker, the job, several workers"
                    + " that are dealt the requests at a steady rate.",
            "Beside it, computed without a loop: the same requests with one index without lag, and with each worker's"
                    + " own answers only. The second half of the requests counts. Verification costs nothing here: whole"
                    + " drafts of 16 tokens are judged by the recorded answers.",
            "Exit code 1: a file's share is below the goal, or there was no snapshot or no checkpoint of it."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace bench fleet --input text2sql.jsonl.gz --workers 8 --requests 1000")
public final class BenchFleetCommand implements Callable<Integer> {
    private static final double SHARE_GOAL = 0.97;

    @Option(
            names = "--input",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Recorded requests (*.jsonl.gz); repeatable.")
    private List<Path> inputs;

    @Bounds(min = 1)
    @Option(
            names = "--workers",
            defaultValue = "8",
            paramLabel = "N",
            description = "Workers, 1 to 64. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Bounds(min = 2)
    @Option(
            names = "--requests",
            defaultValue = "1000",
            paramLabel = "N",
            description = "The first N requests of each file. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Option(
            names = "--requests-per-second",
            defaultValue = "10",
            paramLabel = "RATE",
            description = "Of all workers together. Default: ${DEFAULT-VALUE}.")
    private double requestsPerSecond;

    @Bounds(min = 10)
    @Option(
            names = "--checkpoint-millis",
            defaultValue = "1000",
            paramLabel = "MILLIS",
            description = "The job's time between checkpoints, and least time between two announcements of a lane. "
                    + "Default: ${DEFAULT-VALUE}.")
    private int checkpointMillis;

    @Option(
            names = "--fresh-from",
            defaultValue = "fleet",
            paramLabel = "fleet|own",
            description = "Whose answers workers draft from before a snapshot has them, as of a worker. Default:"
                    + " ${DEFAULT-VALUE}.")
    private FreshFrom freshFrom;

    @Option(
            names = "--no-prompts",
            description = "Workers send answers without their prompts, so the job keeps nothing of prompts. The index"
                    + " without lag and each worker's own answers are computed without them, too. Default: off.")
    private boolean noPrompts;

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Spec
    private CommandSpec spec;

    /**
     * What came out of one file: accepted draft tokens a step.
     *
     * @param share of the loop's in what no lag gives
     */
    record Row(
            String workload,
            int requests,
            double loop,
            double noLag,
            double silos,
            double share,
            double shareSilos,
            long heardP50Millis,
            long heardP99Millis,
            long freshnessP50Millis,
            long freshnessP99Millis,
            long announcedP50Millis,
            long checkpointMillisMax,
            long behindMillisMax) {
        /** Whether the share is at its goal, and came of a job that kept its answers and published them. */
        boolean reached() {
            return share >= SHARE_GOAL && freshnessP99Millis != LoopRun.NONE && checkpointMillisMax != LoopRun.NONE;
        }
    }

    @Override
    public Integer call() throws Exception {
        figures.check();
        if (!(requestsPerSecond > 0)) {
            throw new BadInputException("--requests-per-second must be above 0, got " + requestsPerSecond);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("%s; %d workers, %s requests/s together%s; second half of the requests"
                .formatted(figures.where(), workers, requestsPerSecond, noPrompts ? ", no prompts sent" : ""));
        out.flush();
        List<Row> rows = new ArrayList<>();
        try (WorkFolder folder = WorkFolder.open(null, "fleet")) {
            for (Path input : inputs) {
                rows.add(row(input, folder.path().resolve("run-" + rows.size())));
            }
        }
        print(out, rows);
        Map<String, Object> result = figures.begin();
        result.put("workers", workers);
        result.put("requestsPerSecond", requestsPerSecond);
        result.put("checkpointMillis", checkpointMillis);
        result.put("freshFrom", freshFrom.name().toLowerCase(Locale.ROOT));
        result.put("prompts", !noPrompts);
        result.put("rows", rows);
        figures.write(result);
        return rows.stream().allMatch(Row::reached) ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }

    private Row row(Path input, Path folder) throws Exception {
        StreamReader reader = new StreamReader(RecordedInputOptions.of(ShiftTraffic.VOCABULARY), requests);
        List<ReplayCase> cases = reader.file(input).cases();
        if (cases.size() < 2) {
            throw new BadInputException("--input %s holds %d requests, two are needed".formatted(input, cases.size()));
        }
        LoopRun.Result run = new LoopRun(cases, workers, requestsPerSecond, freshFrom, !noPrompts)
                .run(
                        folder,
                        "--checkpoint-millis",
                        Integer.toString(checkpointMillis),
                        "--announce-millis",
                        Integer.toString(checkpointMillis));
        double loop = secondHalf(Arrays.asList(run.loop()));
        double silos = secondHalf(Arrays.asList(run.silos()));
        double noLag = secondHalf(NoLag.serve(cases, !noPrompts));
        return new Row(
                cases.get(0).workload(),
                cases.size(),
                loop,
                noLag,
                silos,
                loop / noLag,
                silos / noLag,
                run.heardP50Millis(),
                run.heardP99Millis(),
                run.freshnessP50Millis(),
                run.freshnessP99Millis(),
                run.announcedP50Millis(),
                run.checkpointMillisMax(),
                run.behindMillisMax());
    }

    private static double secondHalf(List<NoLag.Figure> figures) {
        return NoLag.acceptedPerStep(figures, figures.size() / 2, figures.size());
    }

    private static void print(PrintWriter out, List<Row> rows) {
        Table table = new Table(
                "workload",
                "requests",
                "loop",
                "no lag",
                "silos",
                "loop %",
                "silos %",
                "heard p50 ms",
                "p99 ms",
                "freshness p50 ms",
                "p99 ms",
                "announced p50 ms");
        for (Row row : rows) {
            table.row(
                    row.workload(),
                    row.requests(),
                    row.loop(),
                    row.noLag(),
                    row.silos(),
                    100 * row.share(),
                    100 * row.shareSilos(),
                    shown(row.heardP50Millis()),
                    shown(row.heardP99Millis()),
                    shown(row.freshnessP50Millis()),
                    shown(row.freshnessP99Millis()),
                    shown(row.announcedP50Millis()));
        }
        out.println("accepted draft tokens a step; percentages of no lag (goal of the loop: %.0f)"
                .formatted(100 * SHARE_GOAL));
        table.print(out);
        out.flush();
    }

    /** A table shows null as a dash. */
    private static Long shown(long millis) {
        return millis == LoopRun.NONE ? null : millis;
    }
}
