package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;

import io.tailrace.operators.learning.LaneLearning;

/** Makes lanes that hold given segments and have lived through nothing else. */
final class LanesOfLayout {
    private LanesOfLayout() {}

    static Lane lane(Layout.State layout, PublishingOptions options) {
        Lane.State empty = Lane.State.begin(LANE);
        return new Lane(
                new Lane.State(
                        LANE,
                        layout,
                        empty.versions(),
                        empty.deletes(),
                        empty.cadence(),
                        empty.learning(),
                        empty.commands(),
                        empty.outcomes(),
                        empty.costs()),
                options,
                LaneLearning.Options.defaults());
    }
}
