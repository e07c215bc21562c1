package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.LaneState;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.WorkerStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusTickerTest {
    private final List<WorkerStatus> sent = new ArrayList<>();
    private final StatusTicker ticker = new StatusTicker("w", "c", sent::add);

    @Test
    void newLaneIsReportedAtOnce() {
        ticker.tick(List.of(state("a", 0), state("b", 0)), 0);
        assertThat(sent).extracting(s -> s.getLane().getScope()).containsExactly("a", "b");
    }

    @Test
    void changeIsReportedEachSecondAtMost() {
        ticker.tick(List.of(state("a", 1)), 0);
        ticker.tick(List.of(state("a", 2)), 999);
        assertThat(sent).hasSize(1);
        ticker.tick(List.of(state("a", 3)), 1_000);
        assertThat(sent).hasSize(2);
        assertThat(sent.get(1).getLoadedVersion()).isEqualTo(3);
    }

    @Test
    void laneThatStaysAsItIsIsReportedEveryFiveSeconds() {
        for (long now = 0; now < 11_000; now += 100) {
            ticker.tick(List.of(state("a", 1)), now);
        }
        assertThat(sent).hasSize(3);
    }

    @Test
    void aClockThatWasSetBackKeepsNoLaneSilent() {
        ticker.tick(List.of(state("a", 1)), 86_400_000);
        ticker.tick(List.of(state("a", 1)), 0);
        assertThat(sent).hasSize(2);
        ticker.tick(List.of(state("a", 2)), 1_000);
        assertThat(sent).hasSize(3);
    }

    @Test
    void lastWordIsSentWhateverWasSentBefore() {
        ticker.tick(List.of(state("a", 1)), 0);
        ticker.sendAll(List.of(state("a", 1)), 1);
        assertThat(sent).hasSize(2);
    }

    private static LaneState state(String scope, long version) {
        return new LaneState(
                new LaneId("m", "1", scope), version, 0, version, 0, false, 0, 0, null, 0, -1, -1, 0, -1, -1, 0, 0);
    }
}
