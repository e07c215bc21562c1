package io.tailrace.cli.snapshots;

import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.JsonFile;
import io.tailrace.cli.terminal.Table;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tailrace snapshots diff}. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Says what differs between two versions.")
final class DiffCommand implements Callable<Integer> {
    @Mixin
    private LaneOptions lane;

    @Parameters(paramLabel = "VERSION", arity = "2", description = "Two versions.")
    private List<Long> versions;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check(json);
        try (LaneTopics topics = lane.open()) {
            topics.read();
            SnapshotManifest one = topics.version(versions.get(0));
            SnapshotManifest other = topics.version(versions.get(1));
            Map<String, List<Object>> differences = differences(VersionText.fields(one), VersionText.fields(other));
            Table table = new Table("what", "version " + one.getVersion(), "version " + other.getVersion());
            differences.forEach((name, values) -> table.row(name, values.get(0), values.get(1)));
            table.print(spec.commandLine().getOut());
            JsonFile.write(json, differences(VersionJson.of(one), VersionJson.of(other)));
            return ExitCodes.DONE;
        }
    }

    /** What is not the same on both sides, "-" where a side has none of it. */
    static Map<String, List<Object>> differences(Map<String, Object> left, Map<String, Object> right) {
        Map<String, List<Object>> differences = new LinkedHashMap<>();
        TreeSet<String> names = new TreeSet<>(left.keySet());
        names.addAll(right.keySet());
        for (String name : names) {
            if (!Objects.equals(left.get(name), right.get(name))) {
                differences.put(name, Arrays.asList(left.getOrDefault(name, "-"), right.getOrDefault(name, "-")));
            }
        }
        return differences;
    }
}
