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
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the fleet answered just now: topic admitted, read from its end, for lanes that the worker serves. So an answer is drafted from
 * everywhere some tens of milliseconds after it was complete; a snapshot holds it only with the checkpoint after next. A hint: what is missed
 * comes with the snapshot, and a fleet whose job does not write the topic, or that has none, does without. Not thread-safe.
 *
 * <p>A lane's answers have its text as their key, so all of them lie in one partition, where Kafka's own partitioner puts that key. Only the partitions of
 * lanes that are served are read, each from where it ended at the last look: what is answered between a lane's first request and the moment at which its
 * partition is joined is heard, too.
 *
 * <p>Where partitions are added, a lane's key may belong into another one. The job goes on writing to the old one until it hears of the new ones, some
 * minutes later at most, and this follower hears of them at another time. So for as long as it lives it reads, for each lane, the partition of the lane's key
 * by each number of partitions that it has seen. One that was added is read from its beginning, for whatever it holds came after this follower began. One that
 * was there before, and only now has the lane's key, is read from where it ended at the look before. Where the new number is a multiple of the old one, no key goes to such a one, and no answer is
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
    /** When reading was refused; {@link #NEVER}: it is not. */
    private long refusedAtMillis = NEVER;

    private boolean warned;
    private long lookedAtMillis = NEVER;
    /** 0: there is no such topic yet. */
    private int partitions;
    /** How many partitions the topic has, and had at earlier looks. */
    private final Set<Integer> counts = new LinkedHashSet<>();
    /** Where partitions ended at the last look that was answered. */
    private Map<TopicPartition, Long> ends = Map.of();
    /** Of the served lanes, which only become more, so many are followed. */
    private int followed;
    /** When each of these was not known yet, or just so. */
    private final Map<LaneId, Long> unknownUntil = new HashMap<>();

    private long joinedAtMillis = NEVER;

    /** @param consumer of whoever polls; this only adds partitions of the topic to its assignment */
    AdmittedTail(Consumer<byte[], byte[]> consumer, String topicPrefix, ServedLanes lanes, LongSupplier clockMillis) {
        this.consumer = consumer;
        this.topic = Topic.ADMITTED.name(topicPrefix);
        this.lanes = lanes;
        this.clockMillis = clockMillis;
    }

    /** Adds the partitions of lanes that came to the consumer's assignment; looks now and then for the topic, its partitions and where they end. */
    void join() {
        long now = clockMillis.getAsLong();
        if (refusedAtMillis != NEVER) {
            if (!isDue(refusedAtMillis, now)) {
                return;
            }
            refusedAtMillis = NEVER;
        }
        List<ServedLane> served = lanes.all();
        followMore(served, now);
        if (isDue(lookedAtMillis, now)) {
            look(served.subList(0, followed), now);
            followMore(served, now);
        }
        joinedAtMillis = now;
    }

    private static boolean isDue(long lastMillis, long now) {
        return lastMillis == NEVER || now < lastMillis || now - lastMillis >= LOOK_MILLIS;
    }

    /** Before a look, so that a lane is joined where its partition ended before it was known. */
    private void followMore(List<ServedLane> served, long now) {
        if (partitions > 0) {
            List<ServedLane> more = served.subList(followed, served.size());
            more.forEach(lane -> unknownUntil.put(lane.lane(), joinedAtMillis == NEVER ? now : joinedAtMillis));
            follow(more, Integer.MAX_VALUE);
            followed = served.size();
        }
    }

    private void look(List<ServedLane> already, long now) {
        boolean first = lookedAtMillis == NEVER;
        lookedAtMillis = now;
        try {
            List<PartitionInfo> infos = consumer.partitionsFor(topic, ANSWER_MAX);
            int before = partitions;
            if (infos != null && !infos.isEmpty() && infos.size() != before) {
                partitions = infos.size();
                counts.add(partitions);
                follow(already, before);
            }
            ends = partitions == 0 ? ends : consumer.endOffsets(all(), ANSWER_MAX);
        } catch (TimeoutException e) {
            LOG.debug("nobody says where topic {} ends; it is asked again", topic, e);
        } catch (TopicAuthorizationException e) {
            LOG.debug("topic {} may not be looked at; it is looked for again", topic, e);
        }
        if (first && partitions == 0) {
            warn("there is no such topic that this worker may see; 'tailrace topics create' makes it");
        }
    }

    private List<TopicPartition> all() {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    /** @param firstAdded partitions from this one on are read from their beginning, those before it from where they ended */
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
            if (partition.partition() >= firstAdded) {
                consumer.seekToBeginning(List.of(partition));
            } else if (ends.containsKey(partition)) {
                consumer.seek(partition, ends.get(partition));
            } else {
                consumer.seekToEnd(List.of(partition));
            }
        }
        LOG.info("{} more of the {} partitions of topic {} are followed", more.size(), partitions, topic);
    }

    private void warn(String why) {
        if (warned) {
            return;
        }
        warned = true;
        LOG.warn(
                "topic {} is not followed, other workers' answers are drafted from once a snapshot has them: {}",
                topic,
                why);
    }

    /**
     * A poll was refused: leaves the assignment and returns true if it is this topic that may not be read. After a while it is joined again, at its end, for
     * a right that is taken away may be given back.
     */
    boolean leave(Set<String> unauthorizedTopics) {
        if (refusedAtMillis != NEVER || !unauthorizedTopics.contains(topic)) {
            return false;
        }
        consumer.assign(consumer.assignment().stream()
                .filter(partition -> !partition.topic().equals(topic))
                .toList());
        refusedAtMillis = clockMillis.getAsLong();
        lookedAtMillis = NEVER;
        joinedAtMillis = NEVER;
        partitions = 0;
        counts.clear();
        ends = Map.of();
        followed = 0;
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
        long completedAt = answer.getCompletedAt().toEpochMilli();
        boolean added = lane.admitted(
                new RequestHash(answer.getRequestHigh(), answer.getRequestLow()),
                new RememberedAnswer(
                        RememberedAnswer.tail(tail, RememberedAnswer.TAIL_TOKENS_MAX),
                        tokens,
                        PromptSignature.ofBytes(answer.getSignature())),
                completedAt);
        if (added && completedAt >= unknownUntil.getOrDefault(lane.lane(), Long.MAX_VALUE)) {
            lane.heard(completedAt, clockMillis.getAsLong());
        }
    }
}
