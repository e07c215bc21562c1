package io.tailrace.cli.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.schemas.Topic;
import java.time.Duration;
import java.util.Optional;
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
                    () -> {
                        assertThat(topics.warnings()).as("of the record").hasSize(1);
                        throw new IllegalStateException("issued");
                    },
                    line -> {});
            assertThatThrownBy(() -> deletion.give(Optional.empty(), Duration.ZERO))
                    .hasMessage("issued");
        }
    }
}
