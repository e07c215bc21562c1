package io.tailrace.cli.snapshots;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.WorkerStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What Kafka says of one lane: its versions, who serves what; and the way to give commands. */
final class LaneTopics implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** A worker that has said nothing for so long is not counted: it reports every five seconds. */
    static final long SILENT_MILLIS_MAX = 15_000;

    private final Map<String, Object> settings;
    private final String prefix;
    private final LaneId lane;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TreeMap<Long, SnapshotManifest> versions = new TreeMap<>();
    private final TreeMap<String, WorkerStatus> workers = new TreeMap<>();

    LaneTopics(Map<String, String> connection, String prefix, LaneId lane) {
        this.prefix = prefix;
        this.lane = lane;
        this.settings = new HashMap<>(connection);
        settings.putIfAbsent("default.api.timeout.ms", (int) PATIENCE.toMillis());
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        try {
            consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException e) {
            throw new BadInputException("these client settings do not work: " + e.getMessage(), e);
        }
    }

    LaneId lane() {
        return lane;
    }

    /** Reads topics snapshots and workers to their ends. */
    void read() {
        List<TopicPartition> partitions = new ArrayList<>(partitions(Topic.SNAPSHOTS));
        partitions.addAll(partitions(Topic.WORKERS));
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "topics could not be read to their ends within " + PATIENCE.toSeconds() + " s; is Kafka well?");
            }
            follow(Duration.ofMillis(200));
        }
    }

    /** Reads what is new. */
    void follow(Duration max) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(max)) {
            boolean snapshot = record.topic().equals(Topic.SNAPSHOTS.name(prefix));
            String key = new String(record.key(), StandardCharsets.UTF_8);
            if (snapshot && key.startsWith(lane + "#")) {
                decode(
                        record,
                        RecordCodec.SNAPSHOT_MANIFEST,
                        manifest -> versions.put(manifest.getVersion(), manifest));
                if (record.value() == null) {
                    versions.remove(Long.parseLong(key.substring(key.lastIndexOf('#') + 1)));
                }
            } else if (!snapshot && key.endsWith("#" + lane)) {
                decode(record, RecordCodec.WORKER_STATUS, status -> workers.put(status.getWorker(), status));
            }
        }
    }

    private static <T extends org.apache.avro.specific.SpecificRecord> void decode(
            ConsumerRecord<byte[], byte[]> record, RecordCodec<T> codec, Consumer<T> into) {
        try {
            if (record.value() != null) {
                into.accept(codec.decode(record.value()));
            }
        } catch (UndecodableRecordException e) {
            throw new IllegalStateException(
                    "%s-%d at offset %d: %s"
                            .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()),
                    e);
        }
    }

    /** Announced and not withdrawn, oldest first. */
    NavigableMap<Long, SnapshotManifest> versions() {
        return versions;
    }

    /** The announced version, or a message that lists those there are. */
    SnapshotManifest version(long version) {
        SnapshotManifest manifest = versions.get(version);
        if (manifest == null) {
            throw new BadInputException(
                    versions.isEmpty()
                            ? "lane %s has no announced version; is it spelled as in metrics?".formatted(lane)
                            : "lane %s has no version %d; %d are there, from %d to %d"
                                    .formatted(
                                            lane, version, versions.size(), versions.firstKey(), versions.lastKey()));
        }
        return manifest;
    }

    /** Workers that reported lately. */
    List<WorkerStatus> liveWorkers(long nowMillis) {
        return workers.values().stream()
                .filter(status -> status.getReportedAt().toEpochMilli() > nowMillis - SILENT_MILLIS_MAX)
                .toList();
    }

    /** Writes a command; when this returns, the brokers have it. */
    void send(Control command) {
        Map<String, Object> producing = new HashMap<>(settings);
        producing.keySet().removeAll(List.of("isolation.level", "auto.offset.reset", "enable.auto.commit"));
        producing.remove("default.api.timeout.ms");
        producing.put("acks", "all");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(producing, new ByteArraySerializer(), new ByteArraySerializer())) {
            byte[] key = command.getCommandId().getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(Topic.CONTROL.name(prefix), key, RecordCodec.CONTROL.encode(command)))
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "topic control did not take the command: " + e.getCause().getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before topic control took the command", e);
        }
    }

    private List<TopicPartition> partitions(Topic topic) {
        List<PartitionInfo> infos = consumer.partitionsFor(topic.name(prefix));
        if (infos == null || infos.isEmpty()) {
            throw new BadInputException("there is no topic " + topic.name(prefix)
                    + "; create it with 'tailrace topics create', or correct --topic-prefix");
        }
        return infos.stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
