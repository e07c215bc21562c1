package io.tailrace.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer.PartitionOffsetsRetriever;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Where a source begins that goes on where its group left off: numbers, which its state keeps. */
class ContinuedTest {
    private static final TopicPartition READ = new TopicPartition("generations", 0);
    private static final TopicPartition IDLE = new TopicPartition("generations", 1);
    private static final List<TopicPartition> BOTH = List.of(READ, IDLE);

    /**
     * Brokers whose topics begin at offset 7.
     *
     * @param committed by the group
     */
    private record Brokers(Map<TopicPartition, Long> committed) implements PartitionOffsetsRetriever {
        @Override
        public Map<TopicPartition, Long> committedOffsets(Collection<TopicPartition> partitions) {
            Map<TopicPartition, Long> known = new HashMap<>(committed);
            known.keySet().retainAll(partitions);
            return known;
        }

        @Override
        public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
            Map<TopicPartition, Long> first = new HashMap<>();
            partitions.forEach(partition -> first.put(partition, 7L));
            return first;
        }

        @Override
        public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
            throw new AssertionError("nothing begins at the end");
        }

        @Override
        public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> millis) {
            throw new AssertionError("nothing begins at a time");
        }
    }

    private static Map<TopicPartition, Long> begin(Map<TopicPartition, Long> committed) {
        return KafkaEnds.CONTINUED.getPartitionOffsets(BOTH, new Brokers(committed));
    }

    @Test
    void itBeginsWhereTheGroupLeftOff() {
        assertThat(begin(Map.of(READ, 41L, IDLE, 43L))).isEqualTo(Map.of(READ, 41L, IDLE, 43L));
    }

    @Test
    void withoutAGroupItBeginsWhereTheTopicDoes() {
        assertThat(begin(Map.of())).isEqualTo(Map.of(READ, 7L, IDLE, 7L));
    }

    @Test
    void aPartitionThatTheGroupDoesNotKnowBeginsWhereItDoes() {
        assertThat(begin(Map.of(READ, 41L))).isEqualTo(Map.of(READ, 41L, IDLE, 7L));
    }

    @Test
    @SuppressWarnings("deprecation") // the connector knows no other form
    void whereRetentionWasFasterThanTheGroupItBeginsWhereTheTopicDoes() {
        assertThat(KafkaEnds.CONTINUED.getAutoOffsetResetStrategy()).isEqualTo(OffsetResetStrategy.EARLIEST);
    }
}
