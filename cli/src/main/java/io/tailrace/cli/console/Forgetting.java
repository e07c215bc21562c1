package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.fleet.FleetView;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.fleet.LaneFigures;
import io.tailrace.cli.snapshots.Commander;
import io.tailrace.cli.snapshots.Deleted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Deletes a request's generations, or all of a scope.
 *
 * @param lane to go on from, as text
 */
record Forgetting(Deleted what, String lane) implements Action {
    @Override
    public String title() {
        return what.requestId() == null
                ? "Delete scope " + what.scope()
                : "Delete request %s of scope %s".formatted(what.requestId(), what.scope());
    }

    @Override
    public String effect() {
        return "Forgets what was completed before it is confirmed, of %s. Nobody can go back behind a delete."
                .formatted(
                        what.model() == null
                                ? "every model and revision"
                                : "model %s at revision %s".formatted(what.model(), what.revision()));
    }

    @Override
    public List<Section> preview(FollowedFleet fleet, long nowMillis) {
        List<Section> sections = new ArrayList<>();
        if (what.requestId() != null) {
            sections.add(Section.of(
                    "What is known of the request",
                    "Topic generations keeps a day: an older one is not shown, and deleted all the same.",
                    FleetPages.found(fleet.generation(what.requestId()))));
        }
        sections.add(fleet.ask(view -> reached(view, nowMillis)));
        return sections;
    }

    Section reached(FleetView fleet, long nowMillis) {
        Grid table = new Grid("Lanes", "lane", "documents", "live tokens", "versions", "live workers");
        for (LaneFigures lane : fleet.lanes(nowMillis, what::concerns)) {
            table.row(lane.lane(), lane.documents(), lane.liveTokens(), lane.versions(), lane.workers());
        }
        return Section.of(
                "Lanes that it reaches",
                what.requestId() == null
                        ? "All of their documents go, and all of their versions."
                        : "The request's documents go. Versions from before are withdrawn, and made anew without them.",
                table);
    }

    @Override
    public boolean carryOut(Commander commander, Consumer<String> say) {
        return commander.delete(what, say);
    }
}
