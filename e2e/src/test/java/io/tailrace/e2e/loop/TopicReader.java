package io.tailrace.e2e.loop;

import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic from its beginning to its committed end, as any stranger could. */
public final class TopicReader {
    private static final Duration READ_MAX = Duration.ofSeconds(60);

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

    List<Event> events(EventKind kind) throws UndecodableRecordException {
        return read(Topic.EVENTS, RecordCodec.EVENT).stream()
                .filter(event -> event.getKind() == kind)
                .toList();
    }

    /** All versions that topic snapshots still knows, also those that are withdrawn. */
    public List<SnapshotManifest> manifests() throws UndecodableRecordException {
        return read(Topic.SNAPSHOTS, RecordCodec.SNAPSHOT_MANIFEST);
    }

    /** The one that was announced last. */
    public SnapshotManifest newest() throws UndecodableRecordException {
        List<SnapshotManifest> all = manifests();
        return all.get(all.size() - 1);
    }

    /** Announced and not withdrawn. */
    public Collection<SnapshotManifest> served() throws UndecodableRecordException {
        Map<String, SnapshotManifest> served = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : readRaw(Topic.SNAPSHOTS)) {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            served.remove(key);
            if (record.value() != null) {
                served.put(key, RecordCodec.SNAPSHOT_MANIFEST.decode(record.value()));
            }
        }
        return served.values();
    }

    /** All records, tombstones and what cannot be decoded included. */
    public List<ConsumerRecord<byte[], byte[]>> readRaw(Topic topic) {
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
