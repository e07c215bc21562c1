package io.tailrace.cli.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.signing.TrustedKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LaneTopicsTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final List<String> warnings = new ArrayList<>();
    private final LaneTopics topics =
            new LaneTopics(new LoopTopics(consumer, "", TrustedKeys.none(), warnings::add), LANE);

    @BeforeEach
    void topicsExist() {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        for (String topic : List.of("snapshots", "workers")) {
            consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, node, nodes, nodes)));
            consumer.updateBeginningOffsets(Map.of(new TopicPartition(topic, 0), 0L));
        }
    }

    /** Puts records that are all of the lane by their key, and are read on the first poll. */
    private void put(String topic, String key, byte[]... values) {
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.updateEndOffsets(Map.of(partition, (long) values.length));
        byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        consumer.schedulePollTask(() -> {
            for (int i = 0; i < values.length; i++) {
                consumer.addRecord(new ConsumerRecord<>(topic, 0, i, keyBytes, values[i]));
            }
        });
    }

    @Test
    void recordsThatCannotBeReadAreSkippedWithAWarning() {
        byte[] newer = {(byte) 0xC3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0};
        put("snapshots", LANE + "#7", new byte[0], new byte[] {1, 2, 3}, newer);
        put("workers", "w#" + LANE, new byte[0], new byte[] {1, 2, 3}, newer);
        topics.read();
        assertThat(topics.versions()).isEmpty();
        topics.close();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0)).contains("at offset 0 is skipped", "0 bytes are no ");
        assertThat(warnings.get(1)).isEqualTo("tailrace: 6 records were skipped");
    }

    @Test
    void recordsWithoutAKeyAndWithdrawalsOfNoVersionAreSkipped() {
        put("snapshots", LANE + "#x", (byte[]) null);
        put("workers", null, new byte[] {1});
        topics.read();
        topics.close();
        assertThat(warnings).hasSize(2).last().isEqualTo("tailrace: 2 records were skipped");
    }
}
