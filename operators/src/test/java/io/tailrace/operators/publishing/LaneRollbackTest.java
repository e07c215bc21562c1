package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.generation;
import static io.tailrace.operators.publishing.PublisherBench.START;
import static io.tailrace.operators.publishing.PublisherBench.assertBalanced;
import static io.tailrace.operators.publishing.PublisherBench.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators go back to an earlier version, and put policies up that a rollback overtakes. */
final class LaneRollbackTest {
    @TempDir
    Path folder;

    private PublisherBench bench;

    @BeforeEach
    void open() throws Exception {
        bench = new PublisherBench(folder, PublishingOptions.defaults(), START);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    @Test
    void aRollbackAnnouncesTheEarlierSegmentsAsAHigherVersion() throws Exception {
        bench.arrive(0, generation("a", START, 1, 2));
        bench.advance(1000);
        SnapshotManifest good = only(bench.manifests());
        bench.arrive(0, generation("b", bench.now(), 3));
        bench.advance(1500);
        SnapshotManifest bad = only(bench.manifests());

        bench.control(Samples.command("r1", Command.ROLLBACK, good.getVersion()));
        bench.control(Samples.command("r1", Command.ROLLBACK, good.getVersion()));
        bench.advance(1500);

        SnapshotManifest back = only(bench.manifests());
        assertThat(back.getVersion()).isGreaterThan(bad.getVersion());
        assertThat(back.getCause()).isEqualTo(AnnouncementCause.ROLLBACK);
        assertThat(bad.getRolledBackBy()).isNull();
        assertThat(back.getRolledBackBy()).isEqualTo("r1");
        assertThat(back.getSegments()).isEqualTo(good.getSegments());
        List<Event> events = bench.events();
        assertThat(events)
                .filteredOn(event -> event.getKind() == EventKind.ROLLED_BACK)
                .hasSize(1);
        assertThat(events.get(events.size() - 1).getNumbers()).containsEntry("tokensExpired", 1L);
        assertBalanced(events.get(events.size() - 1).getNumbers());
    }

    @Test
    void aRollbackToWhatADeleteForbidsOrRetentionDroppedIsRefused() throws Exception {
        bench.arrive(0, generation("a", START, 1, 2));
        bench.advance(1000);
        long first = only(bench.manifests()).getVersion();
        bench.control(Samples.deleteRequest("d1", "acme", "a", bench.now()));
        bench.control(Samples.command("r1", Command.ROLLBACK, first));
        bench.control(Samples.command("r2", Command.ROLLBACK, 17L));
        assertThat(bench.events().stream()
                        .filter(event -> event.getKind() == EventKind.OTHER)
                        .map(Event::getMessage))
                .satisfiesExactly(
                        message -> assertThat(message).contains("holds what a delete forbids"),
                        message -> assertThat(message).contains("cannot roll back to version 17: 1 versions from"));
    }

    private static ControlCommand proposal(String commandId, boolean force) {
        LanePolicy policy = LanePolicy.defaults();
        return new ControlCommand(
                commandId, Command.PROPOSE_POLICY, "toy", "1", "acme", 0, 0, 0, "operator", 1, policy, force);
    }

    /** Replicas score a candidate until they hear of its end. */
    @Test
    void aTrialThatACommandOvertakesEndsWithAnEvent() throws Exception {
        bench.arrive(0, generation("a", START, 1, 2));
        bench.advance(1000);
        long good = only(bench.manifests()).getVersion();
        EventKind[] kinds = {
            EventKind.POLICY_PROPOSED, EventKind.POLICY_REFUSED, EventKind.POLICY_ADOPTED, EventKind.ROLLED_BACK
        };
        bench.control(proposal("p1", false));
        bench.control(proposal("p2", false));
        bench.control(proposal("p3", true));
        bench.control(proposal("p4", false));
        bench.control(Samples.command("r1", Command.ROLLBACK, good));
        bench.control(Samples.command("r2", Command.ROLLBACK, good));

        List<Event> told = bench.told(kinds);

        assertThat(told)
                .extracting(Event::getKind)
                .containsExactly(
                        EventKind.POLICY_PROPOSED,
                        EventKind.POLICY_REFUSED,
                        EventKind.POLICY_PROPOSED,
                        EventKind.POLICY_REFUSED,
                        EventKind.POLICY_ADOPTED,
                        EventKind.POLICY_PROPOSED,
                        EventKind.POLICY_REFUSED,
                        EventKind.ROLLED_BACK,
                        EventKind.ROLLED_BACK);
        assertThat(told.subList(0, 7))
                .extracting(event -> event.getNumbers().get("trial"))
                .containsExactly(1L, 1L, 2L, 2L, 3L, 4L, 4L);
        assertThat(told.get(5).getNumbers()).containsEntry("livePolicy", 3L);
    }
}
