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

/** {@code tailrace workers}: who serves what. */
@Command(
        name = "workers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Lists who serves which version of which lane, how far that is behind the newest one, when the worker was last seen, and what it accepted in the last hour.",
        footerHeading = "%nExample:%n",
        footer = "  tailrace workers --bootstrap localhost:9092")
public final class WorkersCommand implements Callable<Integer> {
    @Mixin
    private FleetOptions fleet = new FleetOptions();

    @Option(
            names = "--lane",
            paramLabel = "MODEL@REVISION/SCOPE",
            description = "Only the workers of this lane. Default: of every lane.")
    private String lane;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check(json);
        try (LoopTopics topics = fleet.topics().get()) {
            List<WorkerFigures> workers = fleet
                    .read(topics, Topic.SNAPSHOTS, Topic.WORKERS, Topic.OUTCOMES)
                    .workers(System.currentTimeMillis())
                    .stream()
                    .filter(worker -> lane == null || worker.lane().equals(lane))
                    .toList();
            table(workers).print(spec.commandLine().getOut());
            JsonFile.write(json, workers.stream().map(WorkerFigures::json).toList());
            return workers.isEmpty() ? ExitCodes.FELL_SHORT : ExitCodes.DONE;
        }
    }

    private static Table table(List<WorkerFigures> workers) {
        Table table = new Table(
                "worker",
                "lane",
                "version",
                "behind",
                "skew",
                "last seen",
                "live",
                "accepted/step",
                "tokens/step",
                "failures",
                "last failure");
        for (WorkerFigures worker : workers) {
            table.row(
                    worker.worker(),
                    worker.lane(),
                    Long.toString(worker.version()),
                    worker.versionsBehind(),
                    worker.skewMillis() < 0 ? null : Shown.age(worker.skewMillis()),
                    Shown.age(worker.seenMillis()) + " ago",
                    worker.live() ? "yes" : "no",
                    worker.acceptedPerStep(),
                    worker.tokensPerStep(),
                    worker.failures(),
                    worker.lastFailure());
        }
        return table;
    }
}
