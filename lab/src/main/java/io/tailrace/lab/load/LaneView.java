package io.tailrace.lab.load;

import io.tailrace.client.follow.LaneState;

/**
 * A lane of a worker in numbers, since its start.
 *
 * @param state how it follows snapshots
 * @param totals what it served
 */
public record LaneView(LaneState state, ServedTotals totals) {
    public String lane() {
        return state.lane().toString();
    }

    public double tokensPerStep() {
        return totals.tokensPerStep();
    }
}
