package io.tailrace.lab.chaos;

import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.VersionNumbers;
import io.tailrace.schemas.WorkerStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Sees each version that is announced, as soon as readers can, and each that a worker says it has loaded, by a door of the broker's that no fault closes. */
final class VersionWatch implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread = new Thread(this::watch, "version-watch");
    private final Map<String, SnapshotManifest> newest = new HashMap<>();
    private volatile boolean closed;
    private long announced;
    private final Map<String, Map<String, Long>> served = new HashMap<>();

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
        consumer.assign(List.of(
                new TopicPartition(Topic.SNAPSHOTS.name(""), 0), new TopicPartition(Topic.WORKERS.name(""), 0)));
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!closed) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.value() == null) {
                    continue;
                }
                if (record.topic().equals(Topic.WORKERS.name(""))) {
                    said(record.value());
                } else {
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
            }
        } catch (UndecodableRecordException | IllegalArgumentException refused) {
            // Neither would a worker take it.
        }
    }

    /** What nobody can read says nothing. */
    private synchronized void said(byte[] value) {
        try {
            WorkerStatus status = RecordCodec.WORKER_STATUS.decode(value);
            served.computeIfAbsent(status.getWorker(), worker -> new HashMap<>())
                    .put(LaneId.of(status.getLane()).toString(), status.getLoadedVersion());
        } catch (UndecodableRecordException ignored) {
            // Neither does audit take it.
        }
    }

    /** How many versions have been announced. */
    synchronized long announced() {
        return announced;
    }

    /** What is to be seen now. */
    synchronized Observation observe(Map<String, Long> toldBytes) {
        Map<String, Long> announcedByLane = new HashMap<>();
        newest.forEach((lane, manifest) -> announcedByLane.put(lane, manifest.getVersion()));
        Map<String, Map<String, Long>> servedByWorker = new HashMap<>();
        served.forEach((worker, lanes) -> servedByWorker.put(worker, Map.copyOf(lanes)));
        return new Observation(announcedByLane, servedByWorker, toldBytes);
    }

    /** Newest version of each lane, as it was announced, in the order of their lanes. */
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
