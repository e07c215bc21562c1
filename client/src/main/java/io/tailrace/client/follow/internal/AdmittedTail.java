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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the fleet answered just now: topic admitted, read from its end, for lanes that the worker serves. So an answer is drafted from
 * everywhere some tens of milliseconds after it was complete; a snapshot holds it only with the checkpoint after next. A hint: what is missed
 * comes with the snapshot, and a fleet whose job does not write the topic, or that has none, does without. Not thread-safe.
 */
final class AdmittedTail {
    private static final Logger LOG = LoggerFactory.getLogger(AdmittedTail.class);
    /** So long after a look for the topic that found none comes the next one. */
    static final long LOOK_MILLIS = 10_000;

    private static final long NEVER = Long.MIN_VALUE;

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final ServedLanes lanes;
    private final LongSupplier clockMillis;
    private boolean joined;
    private boolean refused;
    private long lookedAtMillis = NEVER;

    /** @param consumer of whoever polls; this only adds the topic's partitions to its assignment */
    AdmittedTail(Consumer<byte[], byte[]> consumer, String topicPrefix, ServedLanes lanes, LongSupplier clockMillis) {
        this.consumer = consumer;
        this.topic = Topic.ADMITTED.name(topicPrefix);
        this.lanes = lanes;
        this.clockMillis = clockMillis;
    }

    /** Joins the consumer's assignment at the topic's end, where that has not happened; looks again for a missing topic now and then. */
    void join() {
        long now = clockMillis.getAsLong();
        if (joined || refused || (lookedAtMillis != NEVER && now < lookedAtMillis + LOOK_MILLIS)) {
            return;
        }
        boolean first = lookedAtMillis == NEVER;
        lookedAtMillis = now;
        List<PartitionInfo> infos = partitions();
        if (!infos.isEmpty()) {
            join(infos);
        } else if (first) {
            warn("there is no such topic that this worker may see; 'tailrace topics create' makes it");
        }
    }

    private List<PartitionInfo> partitions() {
        try {
            List<PartitionInfo> infos = consumer.partitionsFor(topic);
            return infos == null ? List.of() : infos;
        } catch (TopicAuthorizationException e) {
            return List.of();
        }
    }

    private void warn(String why) {
        LOG.warn(
                "topic {} is not followed, other workers' answers are drafted from once a snapshot has them: {}",
                topic,
                why);
    }

    /** A poll was refused: leaves the assignment and returns true if it is this topic that may not be read. */
    boolean leave(Set<String> unauthorizedTopics) {
        if (!joined || !unauthorizedTopics.contains(topic)) {
            return false;
        }
        consumer.assign(consumer.assignment().stream()
                .filter(partition -> !partition.topic().equals(topic))
                .toList());
        joined = false;
        refused = true;
        warn("this worker may not read it");
        return true;
    }

    private void join(List<PartitionInfo> infos) {
        List<TopicPartition> ends = infos.stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        List<TopicPartition> all = new ArrayList<>(consumer.assignment());
        all.addAll(ends);
        consumer.assign(all);
        consumer.seekToEnd(ends);
        joined = true;
        LOG.info("topic {} is followed from its end", topic);
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
