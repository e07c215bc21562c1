package io.tailrace.cli.snapshots;

import static io.tailrace.schemas.Command.PIN;
import static io.tailrace.schemas.Command.ROLLBACK;
import static io.tailrace.schemas.Command.UNPIN;

import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tailrace snapshots}: the versions of a lane. */
@Command(
        name = "snapshots",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "(list | show | diff | pin | unpin | rollback | propose)",
        description = "Shows the versions of a lane, and decides which one its workers serve.",
        subcommands = {
            SnapshotsCommand.Listing.class,
            SnapshotsCommand.Show.class,
            SnapshotsCommand.Diff.class,
            SnapshotsCommand.Pin.class,
            SnapshotsCommand.Unpin.class,
            SnapshotsCommand.Rollback.class,
            ProposeCommand.class
        })
public final class SnapshotsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Missing command: list, show, diff, pin, unpin, rollback or propose");
    }

    /** {@code tailrace snapshots list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Lists the announced versions, oldest first, and how many live workers serve each.")
    static final class Listing implements Callable<Integer> {
        @Mixin
        private LaneTopics.Options lane;

        @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
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

    /** {@code tailrace snapshots show}. */
    @Command(
            name = "show",
            preprocessor = VersionName.Preprocessor.class,
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description =
                    "Explains one version: segments, policy, what evaluation and drift detection said when it was made.")
    static final class Show implements Callable<Integer> {
        @Mixin
        private LaneTopics.Options lane;

        @Parameters(
                paramLabel = "VERSION",
                arity = "0..1",
                converter = VersionName.Converter.class,
                description = VersionName.FORMS + " Default: the newest.")
        private VersionName version = VersionName.NEWEST;

        @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
        private Path json;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            JsonFile.check(json);
            try (LaneTopics topics = lane.open()) {
                topics.read();
                SnapshotManifest manifest = topics.version(version);
                Map<String, Object> fields = VersionText.fields(manifest);
                Table table = new Table("what", "value");
                fields.forEach((name, value) -> table.row(name, value.toString()));
                table.print(spec.commandLine().getOut());
                JsonFile.write(json, VersionJson.of(manifest));
                return ExitCodes.DONE;
            }
        }
    }

    /** {@code tailrace snapshots diff}. */
    @Command(
            name = "diff",
            preprocessor = VersionName.Preprocessor.class,
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Says what differs between two versions.")
    static final class Diff implements Callable<Integer> {
        @Mixin
        private LaneTopics.Options lane;

        @Parameters(
                paramLabel = "VERSION",
                arity = "2",
                converter = VersionName.Converter.class,
                description = "Two versions. " + VersionName.FORMS)
        private List<VersionName> versions;

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
                Map<String, List<Object>> differences =
                        VersionText.differences(VersionText.fields(one), VersionText.fields(other));
                Table table = new Table("what", "version " + one.getVersion(), "version " + other.getVersion());
                differences.forEach((name, values) -> table.row(name, values.get(0), values.get(1)));
                table.print(spec.commandLine().getOut());
                JsonFile.write(json, VersionText.differences(VersionJson.of(one), VersionJson.of(other)));
                return ExitCodes.DONE;
            }
        }
    }

    /** {@code tailrace snapshots pin}. */
    @Command(
            name = "pin",
            preprocessor = VersionName.Preprocessor.class,
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Holds the workers at a version until it is unpinned; the job goes on announcing.")
    static final class Pin implements Callable<Integer> {
        @Mixin
        private LaneTopics.Options lane;

        @Mixin
        private UserCommanding commanding;

        @Parameters(paramLabel = "VERSION", converter = VersionName.Converter.class, description = VersionName.FORMS)
        private VersionName version;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            boolean followed = commanding
                    .commander(lane)
                    .giveVersion(
                            lane.lane(),
                            PIN,
                            version,
                            UserCommanding.printing(spec.commandLine().getOut()));
            return followed ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }

    /** {@code tailrace snapshots unpin}. */
    @Command(
            name = "unpin",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Lets the workers follow the newest version again.")
    static final class Unpin implements Callable<Integer> {
        @Mixin
        private LaneTopics.Options lane;

        @Mixin
        private UserCommanding commanding;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            commanding
                    .commander(lane)
                    .give(
                            lane.lane(),
                            UNPIN,
                            null,
                            false,
                            UserCommanding.printing(spec.commandLine().getOut()));
            return ExitCodes.DONE;
        }
    }

    /** {@code tailrace snapshots rollback}. */
    @Command(
            name = "rollback",
            preprocessor = VersionName.Preprocessor.class,
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Takes the workers back to a version at once; the job announces it again as a higher one.")
    static final class Rollback implements Callable<Integer> {
        @Mixin
        private LaneTopics.Options lane;

        @Mixin
        private UserCommanding commanding;

        @Parameters(paramLabel = "VERSION", converter = VersionName.Converter.class, description = VersionName.FORMS)
        private VersionName version;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            boolean followed = commanding
                    .commander(lane)
                    .giveVersion(
                            lane.lane(),
                            ROLLBACK,
                            version,
                            UserCommanding.printing(spec.commandLine().getOut()));
            return followed ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }
}
