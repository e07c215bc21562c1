package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Chart;
import io.tailrace.cli.console.Page.Field;
import io.tailrace.cli.console.Page.Form;
import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.console.Page.Series;
import io.tailrace.cli.console.Page.Tile;
import io.tailrace.cli.fleet.LaneView;
import io.tailrace.cli.fleet.WorkerFigures;
import io.tailrace.cli.snapshots.VersionName;
import io.tailrace.cli.snapshots.VersionText;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.terminal.BadInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

/** A lane's versions on a time line, the difference of two, and who serves what. */
final class VersionsPage {
    private static final String DIFFERENCE = "Difference of two";

    private VersionsPage() {}

    /**
     * A lane's versions.
     *
     * @param one name of the version to compare; null: the one before the newest
     * @param other name of the version to compare it with; null: the newest
     */
    static Page of(ChosenLane chosen, String one, String other, long nowMillis) {
        LaneView lane = chosen.lane();
        if (lane == null) {
            return chosen.none("Versions");
        }
        List<WorkerFigures> workers = lane.workers(nowMillis);
        List<Section> sections = new ArrayList<>(List.of(
                chosen.form(),
                Section.of("Who serves what", "", workers(workers)),
                Section.of("Versions, newest first", "Times are UTC.", table(lane, workers))
                        .with(Chart.line("Live tokens by version", "live tokens", liveTokens(lane)))));
        sections.addAll(compared(lane, one, other, nowMillis));
        return new Page(
                "Versions of " + lane.lane(),
                "Which versions there are, why each was made, and who serves it. " + chosen.pinned(),
                List.of(
                        new Tile(Figures.text(lane.versions().size()), "versions"),
                        new Tile(
                                Figures.text(workers.stream()
                                        .filter(WorkerFigures::live)
                                        .count()),
                                "live workers"),
                        new Tile(
                                Figures.text(workers.stream()
                                        .filter(worker -> worker.live() && worker.versionsBehind() > 0)
                                        .count()),
                                "behind the newest")),
                sections);
    }

    private static Grid table(LaneView lane, List<WorkerFigures> workers) {
        Grid table = new Grid(
                "Versions",
                "version",
                "created",
                "cause",
                "segments",
                "documents",
                "live tokens",
                "policy",
                "live workers");
        for (SnapshotManifest manifest : lane.versions().descendingMap().values()) {
            table.row(
                    Long.toString(manifest.getVersion()),
                    manifest.getCreatedAt(),
                    manifest.getCause(),
                    manifest.getSegments().size(),
                    VersionText.documents(manifest),
                    VersionText.liveTokens(manifest),
                    manifest.getPolicy().getNumber(),
                    workers.stream()
                            .filter(worker -> worker.live() && worker.version() == manifest.getVersion())
                            .count());
        }
        return table;
    }

    private static List<Section> compared(LaneView lane, String one, String other, long nowMillis) {
        NavigableMap<Long, SnapshotManifest> versions = lane.versions();
        if (versions.size() < 2) {
            return List.of();
        }
        String first = one == null ? "-1" : one.strip();
        String second = other == null ? "newest" : other.strip();
        Form form = new Form(
                "/lane",
                "Compare",
                List.of(
                        Field.hidden("lane", lane.lane().toString()),
                        Field.text("Version", "one", first),
                        Field.text("With version", "other", second)));
        try {
            SnapshotManifest before = version(versions, first, nowMillis);
            SnapshotManifest after = version(versions, second, nowMillis);
            return List.of(new Section(DIFFERENCE, VersionName.FORMS, form, differences(before, after), List.of()));
        } catch (IllegalArgumentException | BadInputException e) {
            return List.of(new Section(DIFFERENCE, "Not compared: " + e.getMessage(), form, null, List.of()));
        }
    }

    private static SnapshotManifest version(
            NavigableMap<Long, SnapshotManifest> versions, String name, long nowMillis) {
        long version = VersionName.parse(name).in(versions, nowMillis);
        SnapshotManifest manifest = versions.get(version);
        if (manifest == null) {
            throw new BadInputException("version %d is not there, or no longer".formatted(version));
        }
        return manifest;
    }

    private static Grid differences(SnapshotManifest before, SnapshotManifest after) {
        Grid table =
                new Grid("What differs", "what", "version " + before.getVersion(), "version " + after.getVersion());
        VersionText.differences(VersionText.fields(before), VersionText.fields(after))
                .forEach((what, values) ->
                        table.row(what, values.get(0).toString(), values.get(1).toString()));
        return table;
    }

    /** Each point has why the version was made. */
    private static Series liveTokens(LaneView lane) {
        return new Series(
                "live tokens",
                lane.versions().values().stream()
                        .map(manifest -> List.of(
                                manifest.getCreatedAt().toEpochMilli(),
                                VersionText.liveTokens(manifest),
                                manifest.getCause().toString()))
                        .toList());
    }

    private static Grid workers(List<WorkerFigures> workers) {
        Grid table = new Grid(
                "Workers",
                "worker",
                "version",
                "versions behind",
                "skew",
                "last seen",
                "live",
                "freshness p50, ms",
                "p99, ms",
                "accepted/step",
                "failures",
                "last failure");
        for (WorkerFigures worker : workers) {
            table.row(
                    worker.worker(),
                    Long.toString(worker.version()),
                    Figures.bad(worker.versionsBehind(), worker.live() && worker.versionsBehind() > 0),
                    Figures.age(worker.skewMillis()),
                    Figures.age(worker.seenMillis()) + " ago",
                    Figures.bad(worker.live() ? "yes" : "no", !worker.live()),
                    Figures.known(worker.freshnessP50Millis()),
                    Figures.known(worker.freshnessP99Millis()),
                    worker.acceptedPerStep(),
                    worker.failures(),
                    worker.lastFailure());
        }
        return table;
    }
}
