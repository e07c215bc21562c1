package io.tailrace.cli.snapshots;

import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.JsonFile;
import io.tailrace.cli.terminal.Table;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace snapshots list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Lists the announced versions, oldest first, and how many live workers serve each.")
final class ListCommand implements Callable<Integer> {
    @Mixin
    private LaneOptions lane;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the list as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check(json);
        try (LaneTopics topics = lane.open()) {
            topics.read();
            Table table = new Table(
                    "version", "created", "cause", "segments", "documents", "live tokens", "policy", "workers");
            List<Map<String, Object>> rows = new ArrayList<>();
            for (SnapshotManifest manifest : topics.versions().values()) {
                long workers = topics.liveWorkers(System.currentTimeMillis()).stream()
                        .filter(status -> status.getLoadedVersion() == manifest.getVersion())
                        .count();
                table.row(
                        Long.toString(manifest.getVersion()),
                        manifest.getCreatedAt(),
                        manifest.getCause(),
                        manifest.getSegments().size(),
                        VersionText.documents(manifest),
                        VersionText.liveTokens(manifest),
                        manifest.getPolicy().getNumber(),
                        workers);
                Map<String, Object> row = VersionJson.of(manifest);
                row.put("workers", workers);
                rows.add(row);
            }
            table.print(spec.commandLine().getOut());
            JsonFile.write(json, rows);
            return topics.versions().isEmpty() ? ExitCodes.FELL_SHORT : ExitCodes.DONE;
        }
    }
}
