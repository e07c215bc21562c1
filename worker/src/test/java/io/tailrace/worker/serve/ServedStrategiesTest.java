package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.internal.DamagedSegment;
import io.tailrace.client.draft.internal.OneRequest;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.worker.candidates.TargetCandidates;
import io.tailrace.worker.engine.EngineDrafts;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds of whatever strategy a lane is drafted with. */
class ServedStrategiesTest {
    @TempDir
    private Path folder;

    @Test
    void aSegmentDamagedSinceItWasVerifiedCostsItsDraftsAndNothingElse() throws Exception {
        DamagedSegment.costsItsDraftsAndNothingElse(
                folder,
                List.of(live -> source("suffix-decoding", live), live -> source("adaptive:candidates=4", live)));
    }

    private static DraftSource source(String strategy, LiveSnapshot live) {
        return DraftSources.create(new DraftOptions(strategy, true), null, scope -> live, 1)
                .source();
    }

    /** What the target found likely in one scope is never drafted in another. */
    @Test
    void aLanesRequestsShareTheTargetsCandidatesAndAnotherLaneDoesNotSeeThem() {
        for (String strategy : List.of("adaptive:candidates=4", "adaptive:candidates=4:own=false", "token-recycling")) {
            Map<String, LiveSnapshot> lanes = new HashMap<>();
            for (String scope : List.of("s", "t")) {
                lanes.put(
                        scope,
                        new LiveSnapshot(new LoadedSnapshot(1, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {})));
            }
            EngineDrafts drafts = DraftSources.create(new DraftOptions(strategy, true), null, lanes::get, 1);
            TargetCandidates target = drafts.candidates();
            try (DraftSource source = drafts.source();
                    OneRequest first = new OneRequest(source, "s", new int[] {1})) {
                assertThat(target.wanted()).as(strategy).isPositive();
                assertThat(first.draft(4).size()).as(strategy).isZero();
                assertThat(target.lacks(0, 1)).as(strategy).isTrue();
                target.told(0, 1, new int[] {7, 8, 9, 10});
                assertThat(target.lacks(0, 1)).as(strategy).isFalse();
                first.verified(20);
                try (OneRequest second = new OneRequest(source, "s", new int[] {1});
                        OneRequest foreign = new OneRequest(source, "t", new int[] {1})) {
                    assertThat(second.draft(4).token(0)).as(strategy).isEqualTo(7);
                    assertThat(foreign.draft(4).size()).as(strategy).isZero();
                    assertThat(target.lacks(0, 1)).as(strategy).isTrue();
                }
            }
        }
    }
}
