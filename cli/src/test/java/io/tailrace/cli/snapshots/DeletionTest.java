package io.tailrace.cli.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.cli.fleet.FleetRecords;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeletionTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");

    /** Else one that was issued later could reach the job first, and its end be taken for this one's. */
    @Test
    void theCommandIsIssuedWhenTheLanesHaveBeenRead() {
        TopicsInMemory topics = new TopicsInMemory();
        topics.put(Topic.SNAPSHOTS, "no lane", new byte[0]);
        Deleted what = new Deleted("acme", null, null, null);
        try (LoopTopics opened = topics.openPartitionwise()) {
            Deletion deletion = new Deletion(
                    opened,
                    what,
                    at -> {
                        assertThat(topics.warnings()).as("of the record").hasSize(1);
                        throw new IllegalStateException("issued");
                    },
                    command -> 0,
                    line -> {});
            assertThatThrownBy(() -> deletion.give(Duration.ZERO)).hasMessage("issued");
        }
    }

    /** What was completed since by everybody else's clock would stay, and the job would say all the same that it is done. */
    @Test
    void aDeleteByAClockThatIsBehindIsGivenAgainByTheBrokers() {
        long ahead = Duration.ofDays(1).toMillis();
        List<Control> given = given(ahead);
        assertThat(given).hasSize(2);
        assertThat(given.get(1).getCommandId()).isNotEqualTo(given.get(0).getCommandId());
        assertThat(given.get(1).getIssuedAt())
                .isEqualTo(given.get(0).getIssuedAt().plusMillis(ahead));
        assertThat(said).anyMatch(line -> line.contains("86,400 s behind the brokers'"));
    }

    @Test
    void aDeleteByAClockThatIsNotIsGivenOnce() {
        assertThat(given(0)).hasSize(1);
        assertThat(given(1_000)).hasSize(1);
        assertThat(given(Duration.ofDays(-1).toMillis())).hasSize(1);
    }

    /** It forgets nothing that is still to come, and the job says so of the time at which the brokers took it. */
    @Test
    void aDeleteByAClockThatIsAheadIsDoneWhenThatOfTheBrokersIs() {
        TopicsInMemory topics = new TopicsInMemory();
        topics.put(
                Topic.SNAPSHOTS,
                "toy@1/acme#7",
                RecordCodec.SNAPSHOT_MANIFEST.encode(FleetRecords.manifest(LANE, 7, 1, 1, 0)));
        long takenAt = System.currentTimeMillis() - Duration.ofDays(1).toMillis();
        try (LoopTopics opened = topics.openPartitionwise()) {
            // Behind where it watches from.
            topics.put(Topic.EVENTS, "toy@1/acme", RecordCodec.EVENT.encode(done(takenAt)));
            Deletion deletion = new Deletion(
                    opened, new Deleted("acme", null, null, null), this::delete, command -> takenAt, said::add);
            assertThat(deletion.give(Duration.ofSeconds(1))).isTrue();
        }
    }

    /** The job would never say of them that it is done. */
    @Test
    void lanesThatNothingButJunkNamesAreNotWaitedFor() {
        TopicsInMemory topics = new TopicsInMemory();
        topics.put(Topic.SNAPSHOTS, "ghost@1/acme#7", new byte[] {1});
        topics.put(
                Topic.SNAPSHOTS,
                "ghost@1/acme#8",
                RecordCodec.SNAPSHOT_MANIFEST.encode(FleetRecords.manifest(LANE, 8, 1, 1, 0)));
        try (LoopTopics opened = topics.openPartitionwise()) {
            Deletion deletion = new Deletion(
                    opened,
                    new Deleted("acme", null, null, null),
                    this::delete,
                    command -> command.getIssuedAt().toEpochMilli(),
                    said::add);
            assertThat(deletion.give(Duration.ofMinutes(1))).isTrue();
        }
        assertThat(said).anyMatch(line -> line.contains("no lane of it has an announced version"));
    }

    private static Event done(long issuedTo) {
        return Event.newBuilder()
                .setKind(EventKind.DELETED)
                .setLane(new Lane("toy", "1", "acme"))
                .setMessage("done")
                .setAt(Instant.now())
                .setNumbers(Map.of("issuedTo", issuedTo))
                .build();
    }

    private Control delete(Instant at) {
        return new Control("c", Command.DELETE_SCOPE, null, null, "acme", null, null, "a test", at, null, false);
    }

    private final List<String> said = new ArrayList<>();

    /** Commands that are given where the brokers' clock is ahead of this one. */
    private List<Control> given(long aheadMillis) {
        List<Control> given = new ArrayList<>();
        Deleted what = new Deleted("acme", null, null, null);
        try (LoopTopics opened = new TopicsInMemory().openPartitionwise()) {
            Deletion deletion = new Deletion(
                    opened,
                    what,
                    at -> new Control(
                            "c" + given.size(),
                            Command.DELETE_SCOPE,
                            null,
                            null,
                            "acme",
                            null,
                            null,
                            "a test",
                            at,
                            null,
                            false),
                    command -> {
                        given.add(command);
                        return command.getIssuedAt().toEpochMilli() + aheadMillis;
                    },
                    said::add);
            assertThat(deletion.give(Duration.ZERO)).isTrue();
        }
        return given;
    }
}
