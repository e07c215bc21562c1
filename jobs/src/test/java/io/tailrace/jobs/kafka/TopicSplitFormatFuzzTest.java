package io.tailrace.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.provider.MethodSource;

/** Sources' places as a checkpoint gives them back, read by a job that may be another, or of a mirror. */
class TopicSplitFormatFuzzTest {
    private static final long REREAD_MILLIS = 1_800_000;
    private static final long READ_AT = 1_700_000_000_000L;

    private static final ReadTopics TOPICS = new ReadTopics() {
        @Override
        public String now(String topic) {
            return "a/1";
        }

        @Override
        public int partitions(String topic) {
            return 8;
        }

        @Override
        public long since(String topic, int partition, long millis) {
            assertThat(partition).isBetween(0, 7);
            assertThat(millis).isNotNegative();
            return millis / 1_000;
        }
    };

    private static TopicSplitFormat format(String topic, long rereadMillis, ReadTimes times) {
        return new TopicSplitFormat(List.of(topic), TOPICS, times, rereadMillis);
    }

    static Stream<byte[]> seeds() throws IOException {
        Stream.Builder<byte[]> seeds = Stream.builder();
        for (long offset : new long[] {41, KafkaPartitionSplit.EARLIEST_OFFSET}) {
            ReadTimes times = new ReadTimes();
            times.read("generations", 3, READ_AT);
            TopicSplitFormat writing = format("generations", KafkaEnds.FROM_BEGINNING, times);
            seeds.add(writing.serialize(new KafkaPartitionSplit(new TopicPartition("generations", 3), offset)));
            seeds.add(writing.serialize(new KafkaPartitionSplit(new TopicPartition("gone", 9), offset, offset + 50)));
        }
        return seeds.build();
    }

    @MethodSource("seeds")
    @FuzzTest
    void aPlaceIsReadOrRefused(byte[] bytes) throws Exception {
        for (long rereadMillis : new long[] {KafkaEnds.FROM_BEGINNING, REREAD_MILLIS}) {
            TopicSplitFormat format = format("generations", rereadMillis, new ReadTimes());
            KafkaPartitionSplit read;
            try {
                read = AllocationLimit.check(bytes.length, () -> format.deserialize(format.getVersion(), bytes));
            } catch (IOException refused) {
                assertThat(refused.getMessage()).containsAnyOf("is damaged", "give it at least");
                return;
            }
            byte[] written = format.serialize(read);
            TopicSplitFormat next = format("generations", rereadMillis, new ReadTimes());
            assertThat(next.deserialize(next.getVersion(), written)).isEqualTo(read);
        }
    }
}
