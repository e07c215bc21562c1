package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.suffix.KeptOfPrompts;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.FreshIndex;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServedLanesTest {
    private final ServedLanes lanes =
            new ServedLanes(Manifests.MODEL, FollowOptions.of(URI.create("file:///nowhere"), Path.of("nowhere")), 0);

    @Test
    void privateRequestsShareOneLaneAndLeaveNothingInIt() {
        ServedLane unshared = lanes.unshared();
        unshared.finished("a", RememberedAnswer.of(new int[] {1, 2, 3}), 1);
        assertThat(lanes.unshared()).isSameAs(unshared);
        assertThat(unshared.freshIndex()).isNull();
        assertThat(unshared.freshHeld()).isZero();
        assertThat(unshared.live().followed()).isFalse();
        assertThat(unshared.state(2)).isEqualTo(lanes.unshared().state(2));
        assertThat(lanes.all()).isEmpty();
    }

    @Test
    void ofPromptsNoMoreIsRememberedThanTheScopeKeeps() {
        KeptOfPrompts kept = KeptOfPrompts.parse(List.of("quiet=0"), List.of("quiet=off"));
        ServedLanes discreet = new ServedLanes(
                Manifests.MODEL,
                FollowOptions.of(URI.create("file:///nowhere"), Path.of("nowhere"))
                        .withPrompts(kept),
                0);
        RememberedAnswer answer = RememberedAnswer.of(new int[] {7, 8, 9}, 3, new int[] {1, 2, 3});
        for (String scope : List.of("quiet", "usual")) {
            discreet.ofRequest(scope).finished("a", answer, 1);
        }
        assertThat(remembered(discreet.ofRequest("quiet")).promptTail()).isEmpty();
        assertThat(remembered(discreet.ofRequest("quiet")).copied()).isNull();
        assertThat(discreet.ofRequest("quiet").freshIndex().signed()).isEmpty();
        assertThat(remembered(discreet.ofRequest("usual")).promptTail()).containsExactly(7, 8, 9);
        assertThat(discreet.ofRequest("usual").freshIndex().signed()).hasSize(1);
    }

    private static RememberedAnswer remembered(ServedLane lane) {
        return ((FreshIndex) lane.freshIndex()).answers().get(0);
    }
}
