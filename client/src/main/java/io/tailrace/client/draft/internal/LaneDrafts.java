package io.tailrace.client.draft.internal;

import io.tailrace.client.draft.FleetDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.follow.internal.LiveSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Drafts from a lane's live snapshot with some {@link io.tailrace.suffix.draft.Drafter}. The snapshot is leased anew for every step, from
 * the draft until the drafter has learned what became of it, so that snapshots may be swapped under running requests. A lane's drafters
 * learn together; one that has served a request serves the next ({@link LaneMakers}).
 *
 * <p>A snapshot whose file turns out to be damaged on this disk costs a lane the fleet's drafts, never a request its answer. A request that
 * wants no draft costs the copying of its tokens.
 */
public final class LaneDrafts implements FleetDrafts {
    private final String strategy;
    private final Function<String, LiveSnapshot> snapshots;
    private final LaneMakers makers;
    /** Requests of the step that was drafted last, whose lessons may wait. */
    private final List<LaneRequest> learning = new ArrayList<>();

    /**
     * Drafts of one strategy.
     *
     * @param snapshots a scope's live snapshot
     * @param makers where drafters come from; closed with it
     */
    public LaneDrafts(String strategy, Function<String, LiveSnapshot> snapshots, LaneMakers makers) {
        this.strategy = strategy;
        this.snapshots = snapshots;
        this.makers = makers;
    }

    @Override
    public String strategy() {
        return strategy;
    }

    @Override
    public LaneRequest begin(String scope, int[] prompt) {
        LiveSnapshot live = snapshots.apply(scope);
        return new LaneRequest(live.followed() ? makers.of(scope, live.deletes()) : makers.passing(), live, prompt);
    }

    @Override
    public void draft(Step step) {
        for (int place = 0; place < step.size(); place++) {
            if (step.budget(place) == 0) {
                step.put(place, NoDrafts.EMPTY, 0);
            } else {
                draft(step, place);
            }
        }
    }

    private static void draft(Step step, int place) {
        LaneRequest request = step.request(place, LaneRequest.class);
        long began = System.nanoTime();
        var draft = request.draft(step.budget(place), step.probabilityMin(place));
        step.put(place, draft, System.nanoTime() - began);
    }

    @Override
    public void verified(Step step, StepOutcomes outcomes) {
        for (int place = 0; place < step.size(); place++) {
            step.request(place, LaneRequest.class).verified(outcomes.tokens(place), outcomes.count(place));
        }
    }

    @Override
    public void emitted(Step step, StepOutcomes outcomes) {
        learn();
        for (int place = 0; place < step.size(); place++) {
            LaneRequest request = step.request(place, LaneRequest.class);
            request.emitted(outcomes.tokens(place), outcomes.count(place));
            learning.add(request);
        }
    }

    @Override
    public void learn() {
        learning.forEach(LaneRequest::learn);
        learning.clear();
    }

    /** Requests give their leases back themselves. */
    @Override
    public void close() {
        makers.close();
    }
}
