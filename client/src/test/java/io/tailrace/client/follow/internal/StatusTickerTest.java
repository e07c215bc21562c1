package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.schemas.WorkerStatus;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusTickerTest {
    private final ServedLanes lanes =
            new ServedLanes(Manifests.MODEL, FollowOptions.of(URI.create("file:///nowhere"), Path.of("nowhere")), 0);
    private final List<WorkerStatus> sent = new ArrayList<>();
    private final StatusTicker ticker = new StatusTicker("w", "c", sent::add);

    @Test
    void newLaneIsReportedAtOnce() {
        ticker.tick(lane("a", 0), 0);
        ticker.tick(lane("b", 0), 0);
        assertThat(sent).extracting(s -> s.getLane().getScope()).containsExactly("a", "b");
    }

    @Test
    void changeIsReportedEachSecondAtMost() {
        ticker.tick(lane("a", 1), 0);
        ticker.tick(lane("a", 2), 999);
        assertThat(sent).hasSize(1);
        ticker.tick(lane("a", 3), 1_000);
        assertThat(sent).hasSize(2);
        assertThat(sent.get(1).getLoadedVersion()).isEqualTo(3);
    }

    @Test
    void laneThatStaysAsItIsIsReportedEveryFiveSeconds() {
        for (long now = 0; now < 11_000; now += 100) {
            ticker.tick(lane("a", 1), now);
        }
        assertThat(sent).hasSize(3);
    }

    @Test
    void aClockThatWasSetBackKeepsNoLaneSilent() {
        ticker.tick(lane("a", 1), 86_400_000);
        ticker.tick(lane("a", 1), 0);
        assertThat(sent).hasSize(2);
        ticker.tick(lane("a", 2), 1_000);
        assertThat(sent).hasSize(3);
    }

    @Test
    void lastWordIsSentWhateverWasSentBefore() {
        ticker.tick(lane("a", 1), 0);
        ticker.send(lane("a", 1), 1);
        assertThat(sent).hasSize(2);
    }

    /** The lane, once it serves this version. */
    private ServedLane lane(String scope, long version) {
        ServedLane lane = lanes.ofRequest(scope);
        if (lane.live().version() != version) {
            lane.serve(new LoadedSnapshot(version, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}), 0);
        }
        return lane;
    }
}
