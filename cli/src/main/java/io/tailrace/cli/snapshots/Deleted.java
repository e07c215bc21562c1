package io.tailrace.cli.snapshots;

import io.tailrace.schemas.LaneId;
import io.tailrace.terminal.BadInputException;

/**
 * What is to be forgotten.
 *
 * @param scope whose generations
 * @param requestId only this request's; null: all of the scope
 * @param model only this model's; null: every model's
 * @param revision only this revision's; null: every revision's
 */
public record Deleted(String scope, String requestId, String model, String revision) {
    public Deleted {
        if (scope.isBlank() || (requestId != null && requestId.isBlank())) {
            throw new BadInputException("--scope and --request must not be blank");
        }
    }

    /** Whether it reaches generations of a lane. */
    public boolean concerns(LaneId lane) {
        return lane.scope().equals(scope)
                && (model == null || model.equals(lane.model()))
                && (revision == null || revision.equals(lane.revision()));
    }
}
