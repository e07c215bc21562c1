package io.tailrace.cli.fleet;

import io.tailrace.schemas.DriftStanding;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tailrace learning}: whether a lane's traffic changed, what was tried, and what is live. */
@Command(
        name = "learning",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Says of a lane what was tried in the last day and what the judge said, how drift stands, and how the live policy's weights are shared out among sources.",
        footerHeading = "%nExample:%n",
        footer = "  tailrace learning --bootstrap localhost:9092 --lane llama@1/acme")
public final class LearningCommand implements Callable<Integer> {
    @Mixin
    private LaneOption lane;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        LaneView view = lane.read(Topic.SNAPSHOTS, Topic.EVENTS);
        PrintWriter out = spec.commandLine().getOut();
        Table trials = new Table("trial", "of", "began", "ended", "verdict", "the judge");
        view.trials()
                .forEach(trial -> trials.row(
                        trial.number() < 0 ? null : Long.toString(trial.number()),
                        trial.subject(),
                        trial.beganAt(),
                        trial.endedAt(),
                        trial.verdict(),
                        trial.said()));
        trials.print(out);
        SnapshotManifest newest = view.newest();
        if (newest != null && newest.getDrift() != null) {
            DriftStanding drift = newest.getDrift();
            Table table = new Table("drift alarm", "alarms", "evidence, ln", "novelty, bits", "log-loss, nats");
            table.row(
                    drift.getAlarm() ? "yes" : "no",
                    drift.getAlarms(),
                    drift.getEvidence(),
                    drift.getNovelty(),
                    drift.getLogLoss());
            table.print(out);
        }
        SourceWeights weights = view.sourceWeights();
        if (weights != null) {
            Table table = new Table("source", "weight live %", "shipped %");
            weights.live()
                    .forEach((source, share) -> table.row(
                            source, 100 * share, 100 * weights.shipped().get(source)));
            table.print(out);
        }
        lane.write(view, LearningCommand::json);
        return ExitCodes.DONE;
    }

    private static Map<String, Object> json(LaneView view) {
        SnapshotManifest newest = view.newest();
        DriftStanding drift = newest == null ? null : newest.getDrift();
        SourceWeights weights = view.sourceWeights();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("policy", newest == null ? null : newest.getPolicy().getNumber());
        json.put("trials", view.trials().stream().map(Trial::json).toList());
        json.put("driftAlarm", drift == null ? null : drift.getAlarm());
        json.put("driftAlarms", drift == null ? null : drift.getAlarms());
        json.put("evidence", drift == null ? null : drift.getEvidence());
        json.put("weightShares", weights == null ? null : weights.live());
        json.put("shippedShares", weights == null ? null : weights.shipped());
        return json;
    }
}
