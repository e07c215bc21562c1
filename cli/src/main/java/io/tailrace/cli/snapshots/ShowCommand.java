package io.tailrace.cli.snapshots;

import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.JsonFile;
import io.tailrace.cli.terminal.Table;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tailrace snapshots show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Explains one version: segments, policy, what evaluation and drift detection said when it was made.")
final class ShowCommand implements Callable<Integer> {
    @Mixin
    private LaneOptions lane;

    @Parameters(
            paramLabel = "VERSION",
            arity = "0..1",
            description = "An announced version, as 'list' shows it. Default: the newest.")
    private Long version;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check(json);
        try (LaneTopics topics = lane.open()) {
            topics.read();
            long wanted = version == null && !topics.versions().isEmpty()
                    ? topics.versions().lastKey()
                    : version == null ? 0 : version;
            SnapshotManifest manifest = topics.version(wanted);
            Map<String, Object> fields = VersionText.fields(manifest);
            Table table = new Table("what", "value");
            fields.forEach((name, value) -> table.row(name, value.toString()));
            table.print(spec.commandLine().getOut());
            JsonFile.write(json, VersionJson.of(manifest));
            return ExitCodes.DONE;
        }
    }
}
