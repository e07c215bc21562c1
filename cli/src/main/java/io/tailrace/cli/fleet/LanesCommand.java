package io.tailrace.cli.fleet;

import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace lanes}: how each lane stands. */
@Command(
        name = "lanes",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Lists the lanes: what each holds and what waits, how old its newest version is, how fresh its workers are, and how many of them serve it.",
        footerHeading = "%nExample:%n",
        footer = "  tailrace lanes --bootstrap localhost:9092")
public final class LanesCommand implements Callable<Integer> {
    @Mixin
    private FleetOptions fleet = new FleetOptions();

    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check(json);
        try (LoopTopics topics = fleet.topics().get()) {
            List<LaneFigures> lanes = fleet.read(topics, Topic.SNAPSHOTS, Topic.WORKERS, Topic.EVENTS)
                    .lanes(System.currentTimeMillis());
            table(lanes).print(spec.commandLine().getOut());
            JsonFile.write(json, lanes.stream().map(LaneFigures::json).toList());
            return lanes.isEmpty() ? ExitCodes.FELL_SHORT : ExitCodes.DONE;
        }
    }

    private static Table table(List<LaneFigures> lanes) {
        Table table = new Table(
                "lane",
                "documents",
                "live tokens",
                "pending",
                "versions",
                "newest",
                "age",
                "freshness ms",
                "workers",
                "on newest",
                "tokens/step",
                "gain",
                "alarm");
        for (LaneFigures lane : lanes) {
            table.row(
                    lane.lane(),
                    lane.documents(),
                    lane.liveTokens(),
                    known(lane.pendingTokens()),
                    lane.versions(),
                    lane.newestVersion() == 0 ? null : Long.toString(lane.newestVersion()),
                    lane.ageMillis() < 0 ? null : Shown.age(lane.ageMillis()),
                    known(lane.freshnessMillis()),
                    lane.workers(),
                    lane.workersOnNewest(),
                    lane.tokensPerStep(),
                    lane.gain(),
                    lane.alarm() ? "yes" : "no");
        }
        return table;
    }

    private static Long known(long figure) {
        return figure < 0 ? null : Long.valueOf(figure);
    }
}
