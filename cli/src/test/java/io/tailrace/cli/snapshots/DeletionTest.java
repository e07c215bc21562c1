package io.tailrace.cli.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeletionTest {
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
