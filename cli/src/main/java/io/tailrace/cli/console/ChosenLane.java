package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Field;
import io.tailrace.cli.console.Page.Form;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.fleet.FleetView;
import io.tailrace.cli.fleet.LaneView;
import io.tailrace.cli.fleet.Shown;
import io.tailrace.schemas.Control;
import java.util.List;

/**
 * Which lane a page is of, among all.
 *
 * @param lane null: there is none of the name
 * @param pin the command that holds its workers at a version; null: they are not pinned
 */
record ChosenLane(String path, List<String> names, LaneView lane, Control pin) {
    static ChosenLane of(FleetView fleet, String path, String name) {
        List<String> names =
                fleet.laneViews().stream().map(lane -> lane.lane().toString()).toList();
        String wanted = name == null && !names.isEmpty() ? names.get(0) : name;
        LaneView lane = wanted == null ? null : fleet.lane(wanted).orElse(null);
        return new ChosenLane(
                path, names, lane, lane == null ? null : fleet.pin(lane).orElse(null));
    }

    Section form() {
        String chosen = lane == null ? "" : lane.lane().toString();
        return Section.of(
                "Which lane", "", new Form(path, "Show", List.of(Field.choice("Lane", "lane", names, chosen))));
    }

    /** Whether its workers are pinned, in a sentence; empty: they are not. */
    String pinned() {
        return pin == null
                ? ""
                : "Pinned to version %d by %s since %s UTC."
                        .formatted(pin.getVersion(), Shown.text(pin.getIssuer()), Figures.text(pin.getIssuedAt()));
    }

    /** The page of no lane. */
    Page none(String title) {
        return new Page(
                title,
                names.isEmpty() ? "No lane has been heard of." : "There is no lane of that name.",
                List.of(),
                names.isEmpty() ? List.of() : List.of(form()));
    }
}
