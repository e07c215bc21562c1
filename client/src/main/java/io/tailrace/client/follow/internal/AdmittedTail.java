package io.tailrace.client.follow.internal;

import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the fleet answered just now: topic admitted, read from its end, for lanes that the worker serves. So an answer is drafted from
 * everywhere some tens of milliseconds after it was complete; a snapshot holds it only with the checkpoint after next. A hint: what is missed
 * comes with the snapshot, and a fleet whose job does not write the topic, or that has none, does without. Not thread-safe.
 *
 * <p>A lane's answers have its text as their key, so all of them lie in one partition, where Kafka's own partitioner puts that key. Only the partitions of
 * lanes that are served are read, each from when its first lane is known.
 *
 * <p>Where partitions are added, a lane's key may belong into another one. The job goes on writing to the old one until it hears of the new ones, some
 * minutes later at most, and this follower hears of them at another time. So for as long as it lives it reads, for each lane, the partition of the lane's key
 * by each number of partitions that it has seen. One that was added is read from its beginning, for whatever it holds came after this follower began. One that
 * was there before, and only now has the lane's key, is read from its end. Where the new number is a multiple of the old one, no key goes to such a one, and no answer is
 * missed.
 *
 * <p>A follower that starts later has not seen the old numbers. What lies in a lane's old partition, or still comes into it, such a follower does not hear: it
 * comes with the snapshot.
 */
final class AdmittedTail {
    private static final Logger LOG = LoggerFactory.getLogger(AdmittedTail.class);
    /** So long after a look for the topic and its partitions comes the next one. */
    static final long LOOK_MILLIS = 10_000;

    /** No longer, for snapshots and commands wait for it. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(3);

    private static final long NEVER = Long.MIN_VALUE;

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final ServedLanes lanes;
    private final LongSupplier clockMillis;
    private boolean refused;
    private long lookedAtMillis = NEVER;
    /** 0: there is no such topic yet. */
    private int partitions;
    /** How many partitions the topic has, and had at earlier looks. */
    private final Set<Integer> counts = new LinkedHashSet<>();
    /** Of the served lanes, which only become more, so many are followed. */
    private int followed;

    /** @param consumer of whoever polls; this only adds partitions of the topic to its assignment */
    AdmittedTail(Consumer<byte[], byte[]> consumer, String topicPrefix, ServedLanes lanes, LongSupplier clockMillis) {
        this.consumer = consumer;
        this.topic = Topic.ADMITTED.name(topicPrefix);
        this.lanes = lanes;
        this.clockMillis = clockMillis;
    }

    /** Adds the partitions of lanes that came to the consumer's assignment; looks now and then for the topic, and for partitions that were added. */
    void join() {
        if (refused) {
            return;
        }
        List<ServedLane> served = lanes.all();
        if (isTimeToLook(!served.isEmpty())) {
            look(served.subList(0, followed));
        }
        if (partitions > 0) {
            follow(served.subList(followed, served.size()), Integer.MAX_VALUE);
            followed = served.size();
        }
    }

    /** At the start, so that it is said where the topic is missing, and then while there is a lane to follow. */
    private boolean isTimeToLook(boolean isNeeded) {
        long now = clockMillis.getAsLong();
        boolean isPast = now < lookedAtMillis || now - lookedAtMillis >= LOOK_MILLIS;
        return lookedAtMillis == NEVER || (isNeeded && isPast);
    }

    private void look(List<ServedLane> already) {
        boolean first = lookedAtMillis == NEVER;
        lookedAtMillis = clockMillis.getAsLong();
        int before = partitions;
        int found = countPartitions();
        if (found > 0 && found != before) {
            partitions = found;
            counts.add(found);
            follow(already, before);
        } else if (first && found == 0) {
            warn("there is no such topic that this worker may see; 'tailrace topics create' makes it");
        }
    }

    private int countPartitions() {
        try {
            List<PartitionInfo> infos = consumer.partitionsFor(topic, ANSWER_MAX);
            return infos == null ? 0 : infos.size();
        } catch (TopicAuthorizationException e) {
            return 0;
        }
    }

    /** @param firstAdded partitions from this one on are read from their beginning, those before it from their end */
    private void follow(List<ServedLane> some, int firstAdded) {
        Set<TopicPartition> more = new LinkedHashSet<>();
        for (ServedLane lane : some) {
            byte[] key = lane.lane().toString().getBytes(StandardCharsets.UTF_8);
            for (int count : counts) {
                more.add(new TopicPartition(topic, BuiltInPartitioner.partitionForKey(key, count)));
            }
        }
        more.removeAll(consumer.assignment());
        if (more.isEmpty()) {
            return;
        }
        List<TopicPartition> all = new ArrayList<>(consumer.assignment());
        all.addAll(more);
        consumer.assign(all);
        for (TopicPartition partition : more) {
            if (partition.partition() < firstAdded) {
                consumer.seekToEnd(List.of(partition));
            } else {
                consumer.seekToBeginning(List.of(partition));
            }
        }
        LOG.info("{} more of the {} partitions of topic {} are followed", more.size(), partitions, topic);
    }

    private void warn(String why) {
        LOG.warn(
                "topic {} is not followed, other workers' answers are drafted from once a snapshot has them: {}",
                topic,
                why);
    }

    /** A poll was refused: leaves the assignment and returns true if it is this topic that may not be read. */
    boolean leave(Set<String> unauthorizedTopics) {
        if (refused || !unauthorizedTopics.contains(topic)) {
            return false;
        }
        consumer.assign(consumer.assignment().stream()
                .filter(partition -> !partition.topic().equals(topic))
                .toList());
        refused = true;
        warn("this worker may not read it");
        return true;
    }

    String topic() {
        return topic;
    }

    /** Takes up an answer. */
    void take(ConsumerRecord<byte[], byte[]> record) throws UndecodableRecordException {
        AdmittedAnswer answer = RecordCodec.ADMITTED_ANSWER.decode(record.value());
        lanes.known(LaneId.of(answer.getLane())).ifPresent(lane -> take(lane, answer));
    }

    private void take(ServedLane lane, AdmittedAnswer answer) {
        int[] tail = TokenIds.toArray(answer.getPromptTail());
        int[] tokens = TokenIds.toArray(answer.getTokens());
        lanes.checkTokens(tail);
        lanes.checkTokens(tokens);
        lane.admitted(
                new RequestHash(answer.getRequestHigh(), answer.getRequestLow()),
                new RememberedAnswer(
                        RememberedAnswer.tail(tail, RememberedAnswer.TAIL_TOKENS_MAX),
                        tokens,
                        PromptSignature.ofBytes(answer.getSignature())),
                answer.getCompletedAt().toEpochMilli(),
                clockMillis.getAsLong());
    }
}
