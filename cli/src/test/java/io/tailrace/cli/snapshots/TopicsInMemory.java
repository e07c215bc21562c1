package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.TrustedKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** An installation's topics of one partition each, for other packages' tests; records are read once. */
public final class TopicsInMemory {
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    /** Null: nothing is signed. */
    private final RecordSigner signer;

    public TopicsInMemory() {
        this(null);
    }

    /** Of an installation whose signed topics that key signs. */
    public TopicsInMemory(RecordSigner signer) {
        this.signer = signer;
        for (Topic topic : Topic.values()) {
            create(topic.name(""));
        }
        consumer.schedulePollTask(() -> records.forEach(consumer::addRecord));
    }

    private void create(String name) {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        TopicPartition partition = new TopicPartition(name, 0);
        consumer.updatePartitions(name, List.of(new PartitionInfo(name, 0, node, nodes, nodes)));
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.updateEndOffsets(Map.of(partition, 0L));
    }

    /** Puts a record behind the others of its topic. */
    public void put(Topic topic, String key, byte[] value) {
        put(topic.name(""), key, value);
    }

    /** Puts a record behind the others of a topic that is there, or is there from now on. */
    public void put(String name, String key, byte[] value) {
        put(name, key, value, System.currentTimeMillis());
    }

    /** The same of a record that the brokers took then, in epoch milliseconds. */
    public void put(String name, String key, byte[] value, long atMillis) {
        if (!consumer.listTopics().containsKey(name)) {
            create(name);
        }
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        byte[] signature = signer == null ? null : signer.sign(name, keyBytes, value);
        put(name, keyBytes, value, atMillis, signature);
    }

    /** The same of a record with a signature; null: with none. */
    public void put(String name, byte[] key, byte[] value, long atMillis, byte[] signature) {
        RecordHeaders headers = new RecordHeaders();
        if (signature != null) {
            headers.add(SignatureFormat.HEADER, signature);
        }
        long offset =
                records.stream().filter(record -> record.topic().equals(name)).count();
        records.add(new ConsumerRecord<>(
                name, 0, offset, atMillis, TimestampType.LOG_APPEND_TIME, 0, 0, key, value, headers, Optional.empty()));
        consumer.updateEndOffsets(Map.of(new TopicPartition(name, 0), offset + 1));
    }

    /** As commands read them; records are given anew for each set of topics that is read. */
    public LoopTopics openPartitionwise() {
        return new LoopTopics(replaying(), "", trusted(), warnings::add);
    }

    private MockConsumer<byte[], byte[]> replaying() {
        MockConsumer<byte[], byte[]> replaying = new MockConsumer<>("earliest") {
            @Override
            public synchronized void assign(Collection<TopicPartition> partitions) {
                super.assign(partitions);
                records.stream()
                        .filter(record -> partitions.contains(new TopicPartition(record.topic(), record.partition())))
                        .forEach(this::addRecord);
            }

            /** Every record is young enough. */
            @Override
            public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
                    Map<TopicPartition, Long> times) {
                Map<TopicPartition, OffsetAndTimestamp> first = new HashMap<>();
                times.keySet().forEach(partition -> first.put(partition, new OffsetAndTimestamp(0, 0)));
                return first;
            }
        };
        for (String name : consumer.listTopics().keySet()) {
            TopicPartition partition = new TopicPartition(name, 0);
            replaying.updatePartitions(name, consumer.partitionsFor(name));
            replaying.updateBeginningOffsets(Map.of(partition, 0L));
            replaying.updateEndOffsets(consumer.endOffsets(List.of(partition)));
        }
        return replaying;
    }

    /** As commands read them. */
    public LoopTopics open() {
        return new LoopTopics(consumer, "", trusted(), warnings::add);
    }

    private TrustedKeys trusted() {
        return signer == null ? TrustedKeys.none() : TrustedKeys.of(signer.publicKey());
    }

    /** What was said of records that were skipped. */
    public List<String> warnings() {
        return warnings;
    }
}
