package io.tailrace.e2e.loop;

import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic from its beginning to its committed end, as any stranger could. */
public final class TopicReader {
    private static final Duration READ_MAX = Duration.ofSeconds(20);

    private final String bootstrap;

    public TopicReader(String bootstrap) {
        this.bootstrap = bootstrap;
    }

    /** The records that are not tombstones, in the order of their partitions. */
    public <T extends SpecificRecord> List<T> read(Topic topic, RecordCodec<T> codec)
            throws UndecodableRecordException {
        List<T> records = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> raw : readRaw(topic)) {
            if (raw.value() != null) {
                records.add(codec.decode(raw.value()));
            }
        }
        return records;
    }

    List<ConsumerRecord<byte[], byte[]>> readRaw(Topic topic) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", bootstrap, "isolation.level", "read_committed", "auto.offset.reset", "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic.name("")).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            long deadline = System.nanoTime() + READ_MAX.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("topic " + topic + " could not be read to its end within " + READ_MAX);
                }
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
            return records;
        }
    }
}
