package io.tailrace.cli.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Topic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Topics of a party are read with those of everybody, and are known as what they are. */
class BoundTopicsReadTest {
    @ParameterizedTest
    @CsvSource({"GENERATIONS, generations-acme", "OUTCOMES, outcomes-acme"})
    void aTopicOfAPartyIsOneOfItsKind(Topic topic, String bound) {
        TopicsInMemory memory = new TopicsInMemory();
        memory.put(topic, "everybody", new byte[] {1});
        memory.put(bound, "acme", new byte[] {2});
        List<Topic> kinds = new ArrayList<>();
        try (LoopTopics topics = memory.openPartitionwise()) {
            topics.read(record -> kinds.add(topics.topic(record)), topic);
        }
        assertThat(kinds).containsExactly(topic, topic);
        assertThat(memory.warnings()).isEmpty();
    }
}
