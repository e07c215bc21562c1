package io.tailrace.lab.bench.loop;

import io.tailrace.client.follow.FreshFrom;
import io.tailrace.lab.replay.NoLag;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.Require;
import io.tailrace.terminal.Table;
import io.tailrace.terminal.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench shift}: how fast the loop follows traffic that changes abruptly. */
@Command(
        name = "shift",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves recorded chat and then, abruptly, text-to-SQL through the whole loop: a broker, the job, four"
                    + " workers, ten requests a second together. Once as it is, once with drift handling off.",
            "Beside them, computed without a loop: the same requests with an index without lag, and with each worker's"
                    + " own answers only. Verification costs nothing here: whole drafts of 16 tokens are judged by the"
                    + " recorded answers.",
            "Exit code 1: a goal was missed, or what it is about was not measured."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace bench shift --data recordings --json shift.json")
public final class BenchShiftCommand implements Callable<Integer> {
    private static final int WORKERS = 4;
    private static final double REQUESTS_PER_SECOND = 10;
    private static final int FIRST = 151;
    private static final int LAST = 250;
    private static final int BUCKET = 25;
    private static final int BAR_MAX = 40;
    private static final double SHARE_GOAL = 0.97;
    private static final long FRESHNESS_MILLIS_GOAL = 10_000;
    private static final long CHECKPOINT_MILLIS_GOAL = 2_000;

    @Option(
            names = "--data",
            required = true,
            paramLabel = "FOLDER",
            description = "Recorded requests (*.jsonl.gz) with streams/shift_chat_to_sql.jsonl.gz.")
    private Path data;

    @Option(names = "--reverse", description = "Text-to-SQL first, then chat.")
    private boolean reverse;

    @Bounds(min = 1)
    @Option(
            names = "--before",
            defaultValue = "600",
            paramLabel = "N",
            description = "Requests before the shift. Default: ${DEFAULT-VALUE}.")
    private int before;

    @Bounds(min = LAST)
    @Option(
            names = "--after",
            defaultValue = "400",
            paramLabel = "N",
            description = "Requests after it, at least 250. Default: ${DEFAULT-VALUE}.")
    private int after;

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

    @Override
    public Integer call() throws Exception {
        figures.check();
        Require.recordings("--data", data);
        PrintWriter out = spec.commandLine().getOut();
        ShiftTraffic traffic = ShiftTraffic.read(data, before, after, reverse);
        out.println("%s; %d requests, shift after %d, %s%s"
                .formatted(
                        figures.where(),
                        traffic.cases().size(),
                        before,
                        reverse ? "text-to-SQL then chat" : "chat then text-to-SQL",
                        noPrompts ? ", no prompts sent" : ""));
        out.flush();
        try (WorkFolder folder = WorkFolder.open(null, "shift")) {
            LoopRun.Result with = new LoopRun(traffic.cases(), WORKERS, REQUESTS_PER_SECOND, freshFrom, !noPrompts)
                    .run(folder.path().resolve("on"));
            LoopRun.Result without = new LoopRun(traffic.cases(), WORKERS, REQUESTS_PER_SECOND, freshFrom, !noPrompts)
                    .run(
                            folder.path().resolve("off"),
                            "--drift-false-alarm-generations",
                            Long.toString(Long.MAX_VALUE));
            List<NoLag.Figure> noLag = NoLag.serve(traffic.cases(), !noPrompts);
            Map<String, Object> result = json(with, without, noLag);
            print(out, result, with);
            figures.write(result);
            boolean reached = (double) result.get("share") >= SHARE_GOAL
                    && with.isWithin(FRESHNESS_MILLIS_GOAL, CHECKPOINT_MILLIS_GOAL);
            return reached ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }

    private Map<String, Object> json(LoopRun.Result with, LoopRun.Result without, List<NoLag.Figure> noLag)
            throws IOException {
        int from = before + FIRST - 1;
        int to = before + LAST;
        double reference = NoLag.acceptedPerStep(noLag, from, to);
        Map<String, Object> result = figures.begin();
        result.put("share", NoLag.acceptedPerStep(Arrays.asList(with.loop()), from, to) / reference);
        result.put(
                "shareWithoutDriftHandling",
                NoLag.acceptedPerStep(Arrays.asList(without.loop()), from, to) / reference);
        result.put("shareSilos", NoLag.acceptedPerStep(Arrays.asList(with.silos()), from, to) / reference);
        result.put("acceptedPerStepNoLag", reference);
        Map<String, Object> freshness = new LinkedHashMap<>();
        freshness.put("p50", with.freshnessP50Millis());
        freshness.put("p99", with.freshnessP99Millis());
        result.put("freshnessMillis", freshness);
        Map<String, Object> heard = new LinkedHashMap<>();
        heard.put("p50", with.heardP50Millis());
        heard.put("p99", with.heardP99Millis());
        result.put("heardMillis", heard);
        result.put("freshFrom", freshFrom.name().toLowerCase(Locale.ROOT));
        result.put("prompts", !noPrompts);
        result.put("checkpointMillisMax", with.checkpointMillisMax());
        result.put("behindMillisMax", with.behindMillisMax());
        result.put(
                "alarmsAfterShift",
                with.alarms().stream().map(generations -> generations - before).toList());
        List<Map<String, Object>> curve = new ArrayList<>();
        for (int at = Math.max(0, before - 4 * BUCKET); at + BUCKET <= before + after; at += BUCKET) {
            Map<String, Object> point = new LinkedHashMap<>();
            point.put("request", at - before + BUCKET);
            point.put("loop", NoLag.acceptedPerStep(Arrays.asList(with.loop()), at, at + BUCKET));
            point.put("withoutDriftHandling", NoLag.acceptedPerStep(Arrays.asList(without.loop()), at, at + BUCKET));
            point.put("silos", NoLag.acceptedPerStep(Arrays.asList(with.silos()), at, at + BUCKET));
            point.put("noLag", NoLag.acceptedPerStep(noLag, at, at + BUCKET));
            curve.add(point);
        }
        result.put("curve", curve);
        return result;
    }

    @SuppressWarnings("unchecked")
    private static void print(PrintWriter out, Map<String, Object> result, LoopRun.Result with) {
        List<Map<String, Object>> curve = (List<Map<String, Object>>) result.get("curve");
        double max = curve.stream()
                .mapToDouble(point -> Math.max((double) point.get("loop"), (double) point.get("noLag")))
                .max()
                .orElse(1);
        Table table = new Table("requests up to", "loop", "drift off", "silos", "no lag", "loop as a bar, | is no lag");
        for (Map<String, Object> point : curve) {
            table.row(
                    point.get("request"),
                    point.get("loop"),
                    point.get("withoutDriftHandling"),
                    point.get("silos"),
                    point.get("noLag"),
                    bar((double) point.get("loop") / max, (double) point.get("noLag") / max));
        }
        out.println("accepted draft tokens a step; requests are counted from the shift on");
        table.print(out);
        out.println(
                "requests %d to %d after the shift: %.1f %% of no lag (goal %.0f), without drift handling %.1f %%, silos %.1f %%"
                        .formatted(
                                FIRST,
                                LAST,
                                100 * (double) result.get("share"),
                                100 * SHARE_GOAL,
                                100 * (double) result.get("shareWithoutDriftHandling"),
                                100 * (double) result.get("shareSilos")));
        out.println("other workers' answers: p50 %s ms, p99 %s ms after they were complete"
                .formatted(shown(with.heardP50Millis()), shown(with.heardP99Millis())));
        out.println(
                "in a snapshot: freshness p50 %s ms, p99 %s ms (goal %,d); longest checkpoint %s ms (goal %,d); drift alarms %s requests after the shift"
                        .formatted(
                                shown(with.freshnessP50Millis()),
                                shown(with.freshnessP99Millis()),
                                FRESHNESS_MILLIS_GOAL,
                                shown(with.checkpointMillisMax()),
                                CHECKPOINT_MILLIS_GOAL,
                                result.get("alarmsAfterShift")));
        out.flush();
    }

    private static String shown(long millis) {
        return millis == LoopRun.NONE ? "-" : "%,d".formatted(millis);
    }

    private static String bar(double filled, double mark) {
        char[] bar = new char[BAR_MAX + 1];
        for (int i = 0; i < bar.length; i++) {
            bar[i] = i < filled * BAR_MAX ? '#' : ' ';
        }
        bar[(int) Math.min(BAR_MAX, mark * BAR_MAX)] = '|';
        return new String(bar);
    }
}
