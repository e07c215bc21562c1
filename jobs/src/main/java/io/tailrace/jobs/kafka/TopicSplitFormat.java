package io.tailrace.jobs.kafka;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a partition's place is checkpointed: with the topic that the offset is of, and the time of the record before it.
 *
 * <pre>
 * UTF   which topic, as TopicIdentity says; empty: the place is none of a topic's offsets, but "its beginning"
 * long  the brokers' time of the last record that was read, epoch milliseconds; -1: none was
 * int   version of what follows
 * rest  Flink's own form of a split
 * </pre>
 *
 * <p>A place in another topic than is read now becomes one in this: the topic's beginning, or, where it is a mirror of that other one, a while before the record that
 * was read last. A mirror's offsets differ and its records bear the time at which they were copied, but none is copied before it was written.
 *
 * <p>A place in a topic that the source does not read stays as it was, and nobody is asked about it: the topic may be gone.
 *
 * <p>Reads and writes one source's splits, in one task's thread.
 */
final class TopicSplitFormat implements SimpleVersionedSerializer<KafkaPartitionSplit>, Serializable {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;
    private static final String NO_TOPIC = "";
    /** Of a topic; more than brokers can keep. */
    private static final int PARTITIONS_MAX = 1 << 16;

    private static final Logger LOG = LoggerFactory.getLogger(TopicSplitFormat.class);

    private final Set<String> read;
    private final ReadTopics topics;
    private final ReadTimes times;
    private final long rereadMillis;
    /** By topic, which it is. */
    private final Map<String, String> current = new HashMap<>();

    /**
     * The format of one source.
     *
     * @param read full names of the topics that the source reads
     * @param times of what the source reads
     * @param rereadMillis how much of a mirror is read once more; {@link KafkaEnds#FROM_BEGINNING}: the topic is no mirror
     */
    TopicSplitFormat(Collection<String> read, ReadTopics topics, ReadTimes times, long rereadMillis) {
        this.read = Set.copyOf(read);
        this.topics = topics;
        this.times = times;
        this.rereadMillis = rereadMillis;
    }

    /** Whether its topic is one of those that the source reads. */
    boolean isRead(KafkaPartitionSplit split) {
        return read.contains(split.getTopic());
    }

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(KafkaPartitionSplit split) throws IOException {
        KafkaPartitionSplitSerializer flinks = new KafkaPartitionSplitSerializer();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeUTF(split.getStartingOffset() < 0 ? NO_TOPIC : current(split.getTopic()));
        out.writeLong(times.last(split.getTopic(), split.getPartition()));
        out.writeInt(flinks.getVersion());
        out.write(flinks.serialize(split));
        return bytes.toByteArray();
    }

    @Override
    public KafkaPartitionSplit deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION) {
            throw new IOException("a source's place has version %d, expected %d: it is of another version of this job"
                    .formatted(version, VERSION));
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
        String of;
        long last;
        KafkaPartitionSplit split;
        try {
            of = in.readUTF();
            last = in.readLong();
            split = new KafkaPartitionSplitSerializer().deserialize(in.readInt(), in.readAllBytes());
        } catch (IOException | RuntimeException e) {
            throw damaged(e.toString(), e);
        }
        if (split.getPartition() < 0 || split.getPartition() >= PARTITIONS_MAX) {
            throw damaged("partitions are 0 to %d, got %d".formatted(PARTITIONS_MAX - 1, split.getPartition()), null);
        }
        if (of.equals(NO_TOPIC) || !isRead(split)) {
            return split;
        }
        if (of.equals(current(split.getTopic()))) {
            times.read(split.getTopic(), split.getPartition(), last);
            return split;
        }
        return begun(split, of, last);
    }

    private static IOException damaged(String how, Exception cause) {
        return new IOException(
                "a source's place is damaged: %s; restore from another checkpoint or savepoint".formatted(how), cause);
    }

    private KafkaPartitionSplit begun(KafkaPartitionSplit left, String of, long last) throws IOException {
        String topic = left.getTopic();
        int partition = left.getPartition();
        int partitions = topics.partitions(topic);
        if (partition >= partitions) {
            throw new IOException(
                    "topic %s has %d partitions, and had more where this job's state was read from (%s): give it at least %d; the job then goes on by itself"
                            .formatted(topic, partitions, of, partition + 1));
        }
        boolean mirrored = rereadMillis != KafkaEnds.FROM_BEGINNING && last >= 0;
        long from = mirrored
                ? topics.since(topic, partition, Math.max(0, last - rereadMillis))
                : KafkaPartitionSplit.EARLIEST_OFFSET;
        LOG.info(
                "{} is another topic ({}) than this job's state was read from ({}, at offset {}): read from {}",
                left.getTopicPartition(),
                current(topic),
                of,
                left.getStartingOffset(),
                mirrored ? "offset " + from : "its beginning");
        return new KafkaPartitionSplit(left.getTopicPartition(), from);
    }

    private String current(String topic) throws IOException {
        String known = current.get(topic);
        if (known == null) {
            known = topics.now(topic);
            current.put(topic, known);
        }
        return known;
    }
}
