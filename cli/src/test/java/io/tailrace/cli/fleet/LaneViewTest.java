package io.tailrace.cli.fleet;

import static io.tailrace.cli.fleet.FleetRecords.announce;
import static io.tailrace.cli.fleet.FleetRecords.event;
import static io.tailrace.cli.fleet.FleetRecords.give;
import static io.tailrace.cli.fleet.FleetRecords.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LaneViewTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");
    private static final long NOW = System.currentTimeMillis();

    private final FleetView fleet = new FleetView();

    private void told(EventKind kind, String message, Map<String, Long> numbers) {
        give(fleet, Topic.EVENTS, null, RecordCodec.EVENT.encode(event(kind, LANE, message, numbers, 1)));
    }

    @Test
    void aTrialIsItsProposalAndItsEnd() {
        told(EventKind.POLICY_REFUSED, "ended before", Map.of("trial", 1L));
        told(EventKind.POLICY_PROPOSED, "policy 2", Map.of("trial", 2L));
        told(EventKind.DRIFT, "drift", Map.of());
        told(EventKind.RETENTION_PROPOSED, "tokens leave", Map.of("trial", 2L, "tokens", 9L));
        told(EventKind.POLICY_PROPOSED, "policy 3", Map.of("trial", 3L));
        told(EventKind.RETENTION_FORCED, "over its budget", Map.of("tokens", 9L));
        told(EventKind.POLICY_ADOPTED, "fewer steps", Map.of("trial", 2L));
        told(EventKind.RETENTION_WITHDRAWN, "no more", Map.of("trial", 2L));
        LaneView lane = fleet.lane(LANE.toString()).orElseThrow();
        assertThat(lane.trials())
                .extracting(Trial::number, Trial::subject, Trial::proposed, Trial::verdict, Trial::said)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(3L, "policy", "policy 3", "running", ""),
                        org.assertj.core.groups.Tuple.tuple(2L, "retention", "tokens leave", "withdrawn", "no more"),
                        org.assertj.core.groups.Tuple.tuple(2L, "policy", "policy 2", "adopted", "fewer steps"),
                        org.assertj.core.groups.Tuple.tuple(-1L, "retention", "", "forced", "over its budget"),
                        org.assertj.core.groups.Tuple.tuple(1L, "policy", "", "refused", "ended before"));
        assertThat(lane.trials().get(0).endedAt()).isNull();
        assertThat(lane.trials().get(4).beganAt()).isNull();
    }

    @Test
    void theLastCommandSaysWhetherALaneIsPinned() {
        announce(fleet, manifest(LANE, NOW - 9_000, 1, 4, 0));
        LaneView lane = fleet.lane(LANE.toString()).orElseThrow();
        assertThat(fleet.pin(lane)).isEmpty();
        choose(Command.PIN, NOW - 9_000, "acme");
        assertThat(fleet.pin(lane)).isPresent();
        choose(Command.UNPIN, null, "other");
        assertThat(fleet.pin(lane)).isPresent();
        choose(Command.ROLLBACK, NOW - 9_000, "acme");
        assertThat(fleet.pin(lane)).isEmpty();
        choose(Command.PIN, NOW - 8_000, "acme");
        assertThat(fleet.pin(lane))
                .as("a version that is not there holds nobody")
                .isEmpty();
        choose(Command.PIN, NOW - 9_000, null);
        assertThat(fleet.pin(lane)).as("of every scope").isPresent();
    }

    private void choose(Command command, Long version, String scope) {
        Control control = FleetRecords.delete(LANE, null, NOW);
        control.setCommand(command);
        control.setVersion(version);
        control.setScope(scope);
        give(fleet, Topic.CONTROL, "c", RecordCodec.CONTROL.encode(control));
    }

    @Test
    void weightsOfALayoutThatIsNotKnownAreNotShown() {
        SnapshotManifest shipped = manifest(LANE, NOW - 9_000, 1, 4, 0);
        announce(fleet, shipped);
        LaneView lane = fleet.lane(LANE.toString()).orElseThrow();
        assertThat(lane.sourceWeights().learned()).isFalse();
        assertThat(lane.sourceWeights().live())
                .hasSize(9)
                .isEqualTo(lane.sourceWeights().shipped());
        SnapshotManifest unknown = manifest(LANE, NOW - 8_000, 1, 4, 0);
        unknown.getPolicy().setWeights(List.of(1f, 2f));
        unknown.getPolicy().setWeightsLayout(99);
        announce(fleet, unknown);
        assertThat(lane.sourceWeights()).isNull();
        SnapshotManifest broken = manifest(LANE, NOW - 7_000, 1, 4, 0);
        broken.getPolicy().setWeights(List.of(1f, 2f));
        broken.getPolicy().setWeightsLayout(1);
        announce(fleet, broken);
        assertThat(lane.sourceWeights()).isNull();
    }
}
