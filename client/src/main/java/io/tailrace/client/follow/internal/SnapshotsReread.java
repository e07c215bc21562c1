package io.tailrace.client.follow.internal;

import io.tailrace.schemas.SnapshotKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds withdrawals that a worker has missed. Compaction removes a version's record once it is withdrawn, and after a time (Kafka's {@code
 * delete.retention.ms}, a day) the withdrawal as well. A worker that was cut off for longer would serve the version on. So each hour, which a worker
 * that was cut off or stopped for longer has behind it, what was read of topic snapshots is read once more from the beginning: a version that is
 * known and not there any more was withdrawn.
 *
 * <p>Nothing that is read again is taken up again. Where reading stood, it goes on as always. One thread.
 */
final class SnapshotsReread {
    /** Far below the time for which Kafka keeps withdrawals. */
    static final long EVERY_MILLIS = 3_600_000;
    /** While no broker answers, it is tried this often: each time may take {@link #ANSWER_MAX}. */
    static final long RETRY_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotsReread.class);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(3);

    private final Consumer<byte[], byte[]> consumer;
    private final ServedLanes lanes;
    /** Before these offsets everything was taken up once; empty: nothing is being read again. */
    private Map<TopicPartition, Long> taken = Map.of();
    /** By their keys, versions that were known at the start of the reread and have not been read again yet. */
    private final Map<String, Version> unseen = new HashMap<>();

    private boolean anySeen;
    private long begunAtMillis;
    private long triedAtMillis;

    /** A lane's version. */
    record Version(ServedLane lane, long number) {}

    /** @param consumer of whoever polls; this moves its place on topic snapshots */
    SnapshotsReread(Consumer<byte[], byte[]> consumer, ServedLanes lanes) {
        this.consumer = consumer;
        this.lanes = lanes;
    }

    /** The topic has just been read from its beginning. */
    void done(long nowMillis) {
        taken = Map.of();
        unseen.clear();
        begunAtMillis = nowMillis;
        triedAtMillis = nowMillis;
    }

    /** True if the record was taken up before, and is only read again. */
    boolean isAgain(ConsumerRecord<byte[], byte[]> record) {
        Long end = taken.get(new TopicPartition(record.topic(), record.partition()));
        return end != null && record.offset() < end;
    }

    /** A record comes that was taken up before. What nobody trusted has signed withdraws nothing, either. */
    void seen(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() != null && record.key() != null) {
            anySeen = true;
            unseen.remove(new String(record.key(), StandardCharsets.UTF_8));
        }
    }

    /** Begins to read again if it is time; call it once the topic has been read to where it ended at the start. */
    void beginIfDue(Collection<TopicPartition> partitions, long nowMillis) {
        if (isPast(begunAtMillis, EVERY_MILLIS, nowMillis) && isPast(triedAtMillis, RETRY_MILLIS, nowMillis)) {
            triedAtMillis = nowMillis;
            try {
                begin(partitions, consumer.beginningOffsets(partitions, ANSWER_MAX), nowMillis);
            } catch (TimeoutException e) {
                LOG.debug("topic snapshots cannot be read again now", e);
            }
        }
    }

    /** Also where the clock was set back. */
    private static boolean isPast(long sinceMillis, long millis, long nowMillis) {
        return nowMillis < sinceMillis || nowMillis - sinceMillis >= millis;
    }

    /** One that has not come to its end within an hour begins anew: what it has seen may be gone. */
    private void begin(Collection<TopicPartition> partitions, Map<TopicPartition, Long> beginnings, long nowMillis) {
        Map<TopicPartition, Long> before = taken;
        taken = new HashMap<>();
        for (TopicPartition partition : partitions) {
            taken.put(partition, Math.max(before.getOrDefault(partition, 0L), consumer.position(partition)));
        }
        beginnings.forEach(consumer::seek);
        begunAtMillis = nowMillis;
        anySeen = false;
        unseen.clear();
        for (ServedLane lane : lanes.all()) {
            for (long version : lane.versions()) {
                unseen.put(new SnapshotKey(lane.lane(), version).toString(), new Version(lane, version));
            }
        }
    }

    /** What is not there any more, once everything has been read again; empty otherwise. */
    List<Version> missing() {
        boolean reading = taken.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue());
        if (taken.isEmpty() || reading) {
            return List.of();
        }
        List<Version> missing = List.copyOf(unseen.values());
        taken = Map.of();
        unseen.clear();
        if (!anySeen && !missing.isEmpty()) {
            LOG.warn(
                    "topic snapshots holds none of the {} versions that were read from it, nor any other: it was emptied or made anew;"
                            + " what is served stays",
                    missing.size());
            return List.of();
        }
        return missing;
    }
}
