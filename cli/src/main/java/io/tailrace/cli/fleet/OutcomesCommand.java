package io.tailrace.cli.fleet;

import io.tailrace.cli.fleet.OutcomeTally.Drafted;
import io.tailrace.schemas.CostPoint;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tailrace outcomes}: what verification said of a lane's drafts. */
@Command(
        name = "outcomes",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Sums up what verification said of a lane's drafts in the last hour: by source, by match length, by position in the draft; and the cost curves that workers draft by.",
        footerHeading = "%nExample:%n",
        footer = "  tailrace outcomes --bootstrap localhost:9092 --lane llama@1/acme")
public final class OutcomesCommand implements Callable<Integer> {
    @Mixin
    private LaneOption lane;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        LaneView view = lane.read(Topic.SNAPSHOTS, Topic.OUTCOMES);
        OutcomeTally all = view.outcomes();
        PrintWriter out = spec.commandLine().getOut();
        Table sums = new Table("requests", "steps", "tokens/step", "accepted/step", "gain");
        sums.row(
                all.requests(),
                all.all().steps(),
                all.all().tokensPerStep(),
                all.all().acceptedPerStep(),
                all.gain());
        sums.print(out);
        parts("source", "tokens", all.bySource()).print(out);
        parts("match length", "tokens", all.byMatchLength()).print(out);
        parts("position", "steps", positions(all.byPosition())).print(out);
        curves(view.costCurve()).print(out);
        lane.write(view, OutcomesCommand::json);
        return all.requests() == 0 ? ExitCodes.FELL_SHORT : ExitCodes.DONE;
    }

    private static <K> Table parts(String key, String unit, Map<K, Drafted> parts) {
        Table table = new Table(key, "drafted " + unit, "accepted", "accepted %");
        parts.forEach((name, part) -> table.row(
                name.toString(),
                part.drafted(),
                part.accepted(),
                part.drafted() == 0 ? null : 100.0 * part.accepted() / part.drafted()));
        return table;
    }

    /** By position, from 1. */
    private static Map<Integer, Drafted> positions(List<Drafted> byPosition) {
        Map<Integer, Drafted> positions = new LinkedHashMap<>();
        byPosition.forEach(steps -> positions.put(positions.size() + 1, steps));
        return positions;
    }

    private static Table curves(List<CostPoint> points) {
        Table table = new Table("worker class", "batch", "verified tokens", "step micros");
        points.forEach(point ->
                table.row(Shown.text(point.getWorkerClass()), point.getBatch(), point.getVerifiedTokens(), (double)
                        point.getMicros()));
        return table;
    }

    private static Map<String, Object> json(LaneView view) {
        OutcomeTally all = view.outcomes();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("requests", all.requests());
        json.put("steps", all.all().steps());
        json.put("tokensPerStep", all.all().tokensPerStep());
        json.put("acceptedPerStep", all.all().acceptedPerStep());
        json.put("gain", all.gain());
        json.put("bySource", all.bySource());
        json.put("byMatchLength", all.byMatchLength());
        json.put("byPosition", all.byPosition());
        json.put(
                "costCurve",
                view.costCurve().stream().map(OutcomesCommand::json).toList());
        return json;
    }

    private static Map<String, Object> json(CostPoint at) {
        Map<String, Object> point = new LinkedHashMap<>();
        point.put("workerClass", at.getWorkerClass());
        point.put("batch", at.getBatch());
        point.put("verifiedTokens", at.getVerifiedTokens());
        point.put("micros", at.getMicros());
        return point;
    }
}
