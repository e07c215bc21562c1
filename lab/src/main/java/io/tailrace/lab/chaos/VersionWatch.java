package io.tailrace.lab.chaos;

import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.VersionNumbers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Sees each version that is announced, as soon as readers can, by a door of the broker's that no fault closes. */
final class VersionWatch implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread = new Thread(this::watch, "version-watch");
    private final Map<String, SnapshotManifest> newest = new HashMap<>();
    private volatile boolean closed;
    private long announced;
    private long newerAtNanos;

    VersionWatch(String bootstrap) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                bootstrap,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "reconnect.backoff.max.ms",
                200,
                "request.timeout.ms",
                3_000,
                "auto.offset.reset",
                "earliest");
        consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = List.of(new TopicPartition(Topic.SNAPSHOTS.name(""), 0));
        consumer.assign(partitions);
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!closed) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.value() != null) {
                    seen(record.value());
                }
            }
        }
        consumer.close();
    }

    /** A version that readers refuse is none. */
    private synchronized void seen(byte[] value) {
        try {
            SnapshotManifest manifest = RecordCodec.SNAPSHOT_MANIFEST.decode(value);
            VersionNumbers.check(manifest.getVersion(), System.currentTimeMillis());
            announced++;
            String lane = LaneId.of(manifest.getLane()).toString();
            SnapshotManifest before = newest.get(lane);
            if (before == null || manifest.getVersion() > before.getVersion()) {
                newest.put(lane, manifest);
                newerAtNanos = System.nanoTime();
            }
        } catch (UndecodableRecordException | IllegalArgumentException refused) {
            // Neither would a worker take it.
        }
    }

    /** How many versions have been announced. */
    synchronized long announced() {
        return announced;
    }

    /** When a version newer than all of its lane was seen last, if after {@code nanos}. */
    synchronized OptionalLong newerSince(long nanos) {
        return newerAtNanos > nanos ? OptionalLong.of(newerAtNanos) : OptionalLong.empty();
    }

    /** Newest version of each lane. */
    synchronized Map<String, Long> newest() {
        Map<String, Long> versions = new HashMap<>();
        newest.forEach((lane, manifest) -> versions.put(lane, manifest.getVersion()));
        return versions;
    }

    /** The same as they were announced, in the order of their lanes. */
    synchronized List<SnapshotManifest> newestManifests() {
        return List.copyOf(new TreeMap<>(newest).values());
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(END_MAX.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
