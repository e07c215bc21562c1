package io.tailrace.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TopicSplitFormatTest {
    private static final long REREAD_MILLIS = 1_800_000;
    private static final long READ_AT = 1_700_000_000_000L;

    /**
     * Topics in words.
     *
     * @param identity of all; null: nobody may ask
     * @param count partitions of each
     */
    private record Named(String identity, int count) implements ReadTopics {
        @Override
        public String now(String topic) {
            assertThat(identity).isNotNull();
            return identity;
        }

        @Override
        public int partitions(String topic) {
            return count;
        }

        /** An offset for each second. */
        @Override
        public long since(String topic, int partition, long millis) {
            return (READ_AT - millis) / 1_000;
        }
    }

    private static TopicSplitFormat format(String topic, ReadTimes times, long rereadMillis) {
        return new TopicSplitFormat(List.of("generations"), new Named(topic, 8), times, rereadMillis);
    }

    private static KafkaPartitionSplit split(int partition, long offset) {
        return new KafkaPartitionSplit(new TopicPartition("generations", partition), offset);
    }

    /** As a task checkpoints it that has read up to then. */
    private static byte[] checkpoint(KafkaPartitionSplit split, String topic, long readAt) throws IOException {
        ReadTimes times = new ReadTimes();
        times.read(split.getTopic(), split.getPartition(), readAt);
        return format(topic, times, KafkaEnds.FROM_BEGINNING).serialize(split);
    }

    private static KafkaPartitionSplit restored(byte[] checkpoint, String topic, long rereadMillis) throws IOException {
        return format(topic, new ReadTimes(), rereadMillis).deserialize(1, checkpoint);
    }

    @Test
    void onItsTopicASourceGoesOnWhereItWas() throws IOException {
        byte[] checkpoint = checkpoint(split(3, 41), "a/1", READ_AT);
        assertThat(restored(checkpoint, "a/1", KafkaEnds.FROM_BEGINNING)).isEqualTo(split(3, 41));
        assertThat(restored(checkpoint, "a/1", REREAD_MILLIS)).isEqualTo(split(3, 41));
    }

    @Test
    void onAnotherTopicItBeginsWhereThatDoes() throws IOException {
        byte[] checkpoint = checkpoint(split(3, 41), "a/1", READ_AT);
        for (String other : new String[] {"b/1", "a/2"}) {
            assertThat(restored(checkpoint, other, KafkaEnds.FROM_BEGINNING))
                    .isEqualTo(split(3, KafkaPartitionSplit.EARLIEST_OFFSET));
        }
    }

    @Test
    void onAMirrorItBeginsAWhileBeforeTheRecordThatItReadLast() throws IOException {
        byte[] checkpoint = checkpoint(split(3, 41), "a/1", READ_AT);
        assertThat(restored(checkpoint, "b/1", REREAD_MILLIS)).isEqualTo(split(3, 1_800));
    }

    /** Which record was last is known also to a task that has read nothing since it was restored. */
    @Test
    void theTimeOfTheLastRecordOutlivesRestarts() throws IOException {
        byte[] checkpoint = checkpoint(split(3, 41), "a/1", READ_AT);
        for (int start = 0; start < 3; start++) {
            TopicSplitFormat task = format("a/1", new ReadTimes(), KafkaEnds.FROM_BEGINNING);
            checkpoint = task.serialize(task.deserialize(1, checkpoint));
        }
        assertThat(restored(checkpoint, "b/1", REREAD_MILLIS)).isEqualTo(split(3, 1_800));
    }

    @Test
    void ofAPartitionThatNothingWasReadOfAMirrorIsReadFromItsBeginning() throws IOException {
        byte[] checkpoint =
                format("a/1", new ReadTimes(), KafkaEnds.FROM_BEGINNING).serialize(split(3, 0));
        assertThat(restored(checkpoint, "b/1", REREAD_MILLIS)).isEqualTo(split(3, KafkaPartitionSplit.EARLIEST_OFFSET));
    }

    @Test
    void whatIsNoOffsetIsOfNoTopic() throws IOException {
        KafkaPartitionSplit beginning = split(3, KafkaPartitionSplit.EARLIEST_OFFSET);
        byte[] checkpoint = checkpoint(beginning, null, READ_AT);
        assertThat(restored(checkpoint, null, REREAD_MILLIS)).isEqualTo(beginning);
    }

    /** It may have been deleted since. */
    @Test
    void nobodyIsAskedAboutATopicThatIsNotRead() throws IOException {
        byte[] checkpoint = checkpoint(split(3, 41), "a/1", READ_AT);
        TopicSplitFormat other =
                new TopicSplitFormat(List.of("other"), new Named(null, 0), new ReadTimes(), REREAD_MILLIS);
        KafkaPartitionSplit restored = other.deserialize(1, checkpoint);
        assertThat(restored).isEqualTo(split(3, 41));
        assertThat(other.isRead(restored)).isFalse();
    }

    /** They would count as known, and never be read once they are there. */
    @Test
    void aTopicWithFewerPartitionsIsRefused() throws IOException {
        byte[] checkpoint = checkpoint(split(9, 41), "a/1", READ_AT);
        assertThatThrownBy(() -> restored(checkpoint, "b/1", KafkaEnds.FROM_BEGINNING))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("topic generations has 8 partitions")
                .hasMessageContaining("give it at least 10");
    }

    /** Brokers take a negative time for the latest, the earliest or another offset. */
    @Test
    void aMirrorIsReadFromNoTimeBeforeTheEpoch() throws IOException {
        assertThat(restored(checkpoint(split(3, 41), "a/1", 5_000), "b/1", REREAD_MILLIS))
                .isEqualTo(split(3, READ_AT / 1_000));
    }

    @Test
    void aDamagedPlaceIsRefused() throws IOException {
        byte[] cut = Arrays.copyOf(checkpoint(split(3, 41), "a/1", READ_AT), 20);
        byte[] offset = checkpoint(split(3, 41), "a/1", READ_AT);
        ByteBuffer.wrap(offset).putLong(offset.length - 2 * Long.BYTES, -9);
        byte[] negative = checkpoint(split(3, 41), "a/1", READ_AT);
        int atPartition = negative.length - 2 * Long.BYTES - Integer.BYTES;
        ByteBuffer.wrap(negative).putInt(atPartition, -1);
        byte[] large = negative.clone();
        ByteBuffer.wrap(large).putInt(atPartition, Integer.MAX_VALUE);
        for (byte[] damaged : new byte[][] {{}, cut, offset, negative, large}) {
            assertThatThrownBy(() -> restored(damaged, "a/1", KafkaEnds.FROM_BEGINNING))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a source's place is damaged: ")
                    .hasMessageContaining("restore from another checkpoint");
        }
    }
}
