package io.tailrace.lab.load;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.internal.AdaptiveMaker;
import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.LaneMakers;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;

/** Drafts of a lane's requests from their own contexts alone, under the lane's policy but for its weights: those were learned with more. */
final class OwnContext {
    private final LiveSnapshot live =
            new LiveSnapshot(new LoadedSnapshot(0, DraftPolicy.unannounced(), LaneIndex.EMPTY, () -> {}));
    private final DraftSource drafts =
            new LaneDrafts("adaptive", scope -> live, new LaneMakers(1, () -> new AdaptiveMaker(false)));

    DraftSource drafts() {
        return drafts;
    }

    /** What the lane has now, without anything to draft from. */
    LiveSnapshot under(LiveSnapshot shared) {
        LoadedSnapshot snapshot = shared.lease();
        try {
            live.swap(snapshot.withoutIndex());
        } finally {
            snapshot.release();
        }
        return live;
    }
}
