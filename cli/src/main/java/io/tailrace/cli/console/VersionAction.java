package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.fleet.FleetView;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.fleet.LaneView;
import io.tailrace.cli.fleet.Shown;
import io.tailrace.cli.fleet.WorkerFigures;
import io.tailrace.cli.snapshots.Commander;
import io.tailrace.cli.snapshots.VersionName;
import io.tailrace.cli.snapshots.VersionText;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.SnapshotManifest;
import java.util.List;
import java.util.function.Consumer;

/**
 * Decides which version of a lane workers serve.
 *
 * @param command PIN, UNPIN or ROLLBACK
 * @param version 0 for UNPIN: the newest, whichever that is then
 */
record VersionAction(LaneId of, Command command, long version) implements Action {
    @Override
    public String title() {
        return switch (command) {
            case PIN -> "Pin to version " + version;
            case ROLLBACK -> "Roll back to version " + version;
            default -> "Unpin";
        };
    }

    @Override
    public String effect() {
        return switch (command) {
            case PIN ->
                "Workers of %s hold the version until it is unpinned; the job goes on indexing and announcing."
                        .formatted(of);
            case ROLLBACK ->
                "Workers of %s go to the version at once, and the job announces it again as a higher one. What was indexed since is dropped for good."
                        .formatted(of);
            default -> "Workers of %s follow the newest version again.".formatted(of);
        };
    }

    @Override
    public String lane() {
        return of.toString();
    }

    @Override
    public List<Section> preview(FollowedFleet fleet, long nowMillis) {
        return fleet.ask(view -> preview(view, nowMillis));
    }

    List<Section> preview(FleetView fleet, long nowMillis) {
        LaneView lane = Actions.lane(fleet, of);
        SnapshotManifest newest = lane.newest();
        SnapshotManifest then =
                command == Command.UNPIN ? newest : lane.versions().get(version);
        if (then == null) {
            throw new IllegalArgumentException("lane %s has no version %d, or no longer".formatted(of, version));
        }
        Grid workers = new Grid("Workers", "worker", "serves now", "would serve", "live");
        for (WorkerFigures worker : lane.workers(nowMillis)) {
            workers.row(
                    worker.worker(),
                    worker.version() == 0 ? "-" : Long.toString(worker.version()),
                    Long.toString(then.getVersion()),
                    Figures.bad(worker.live() ? "yes" : "no", !worker.live()));
        }
        Grid versions = new Grid("Versions", "version", "which", "created, UTC", "documents", "live tokens", "policy");
        row(versions, "newest", newest);
        row(versions, "would be served", then);
        return List.of(
                Section.of(
                        "Who serves what",
                        "A worker that is not live obeys when it comes back. %s"
                                .formatted(fleet.pin(lane)
                                        .map(pin -> "Now pinned to version %d by %s."
                                                .formatted(pin.getVersion(), Shown.text(pin.getIssuer())))
                                        .orElse("Now not pinned.")),
                        workers),
                Section.of("What that changes", "", versions));
    }

    private static void row(Grid table, String which, SnapshotManifest manifest) {
        table.row(
                Long.toString(manifest.getVersion()),
                which,
                manifest.getCreatedAt(),
                VersionText.documents(manifest),
                VersionText.liveTokens(manifest),
                manifest.getPolicy().getNumber());
    }

    @Override
    public boolean carryOut(Commander commander, Consumer<String> say) {
        if (command == Command.UNPIN) {
            commander.give(of, command, null, false, say);
            return true;
        }
        return commander.giveVersion(of, command, VersionName.number(version), say);
    }
}
