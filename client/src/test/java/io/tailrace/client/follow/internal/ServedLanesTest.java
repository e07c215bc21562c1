package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.suffix.RememberedAnswer;
import java.net.URI;
import java.nio.file.Path;
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
}
