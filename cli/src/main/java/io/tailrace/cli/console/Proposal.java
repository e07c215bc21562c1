package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.fleet.FleetView;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.snapshots.Commander;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SnapshotManifest;
import java.util.List;
import java.util.function.Consumer;

/**
 * Proposes a policy.
 *
 * @param force adopt it unjudged
 */
record Proposal(LaneId of, Policy policy, boolean force) implements Action {
    @Override
    public String title() {
        return force ? "Adopt a policy unjudged" : "Propose a policy";
    }

    @Override
    public String effect() {
        return force
                ? "The job adopts the policy for %s with the next version.".formatted(of)
                : "The job judges the policy for %s on generations to come, and adopts or refuses it with an event. Page Learning shows the trial."
                        .formatted(of);
    }

    @Override
    public String lane() {
        return of.toString();
    }

    @Override
    public List<Section> preview(FollowedFleet fleet, long nowMillis) {
        return fleet.ask(this::preview);
    }

    private List<Section> preview(FleetView fleet) {
        SnapshotManifest newest = Actions.lane(fleet, of).newest();
        Policy live = newest == null ? null : newest.getPolicy();
        Grid table = new Grid("Policies", "what", "live", "proposed");
        table.row("drafts", live == null ? null : drafts(live), drafts(policy));
        table.row("budget", live == null ? null : live.getBudgetMax(), policy.getBudgetMax());
        table.row(
                "probability floor",
                live == null ? null : Float.toString(live.getProbabilityFloor()),
                Float.toString(policy.getProbabilityFloor()));
        table.row(
                "weights",
                live == null ? null : live.getWeights().isEmpty() ? "shipped" : "learned",
                policy.getWeights().isEmpty() ? "as they are live then" : "shipped");
        return List.of(Section.of("What that changes", "", table));
    }

    private static String drafts(Policy policy) {
        return policy.getEnabled() ? "yes" : "no";
    }

    @Override
    public boolean carryOut(Commander commander, Consumer<String> say) {
        commander.give(of, Command.PROPOSE_POLICY, policy, force, say);
        return true;
    }
}
