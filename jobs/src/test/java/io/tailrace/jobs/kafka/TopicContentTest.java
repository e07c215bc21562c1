package io.tailrace.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TopicContentTest {
    private static final TopicPartition PARTITION = new TopicPartition("snapshots", 0);
    private static final Duration POLL = Duration.ofSeconds(20);

    private final List<Long> read = new ArrayList<>();

    /** A topic of one partition, of which each poll takes its time and brings one record, while there are any. */
    private static final class Slow extends MockConsumer<byte[], byte[]> {
        private final long coming;
        private long polls;

        /**
         * Slow brokers.
         *
         * @param coming how many records they give
         * @param end how many there are
         */
        Slow(long coming, long end) {
            super("earliest");
            this.coming = coming;
            Node[] none = {};
            updatePartitions(
                    PARTITION.topic(), List.of(new PartitionInfo(PARTITION.topic(), 0, Node.noNode(), none, none)));
            updateBeginningOffsets(Map.of(PARTITION, 0L));
            updateEndOffsets(Map.of(PARTITION, end));
        }

        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration max) {
            if (polls < coming) {
                addRecord(new ConsumerRecord<>(PARTITION.topic(), 0, polls, new byte[0], new byte[0]));
            }
            polls++;
            return super.poll(max);
        }

        long nanoTime() {
            return polls * POLL.toNanos();
        }
    }

    private void read(Slow consumer) throws IOException {
        TopicContent.read(
                consumer,
                PARTITION.topic(),
                (ConsumerRecord<byte[], byte[]> record) -> read.add(record.offset()),
                consumer::nanoTime);
    }

    @Test
    void aTopicIsReadToItsEndHoweverLongItTakes() throws IOException {
        read(new Slow(10, 10));
        assertThat(read)
                .containsExactlyElementsOf(LongStream.range(0, 10).boxed().toList());
    }

    @Test
    void itIsGivenUpWhenNothingComes() {
        assertThatThrownBy(() -> read(new Slow(3, 10)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("topic snapshots could not be read to its end: nothing of it came within 30 s");
        assertThat(read).containsExactly(0L, 1L, 2L);
    }
}
