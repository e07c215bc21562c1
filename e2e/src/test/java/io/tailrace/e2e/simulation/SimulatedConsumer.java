package io.tailrace.e2e.simulation;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.schemas.signing.SignatureFormat;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Reads simulated topics as Kafka's consumer does, each of one partition; what no follower asks for is refused. */
final class SimulatedConsumer {
    private final Map<String, SimulatedTopic> topics;
    private final Map<TopicPartition, Long> positions = new LinkedHashMap<>();
    private final Set<TopicPartition> paused = new HashSet<>();
    private final Predicate<Written> passes;
    private int recordsMax;
    private boolean away;
    private boolean rereads = true;
    private Map<String, List<Written>> polled = Map.of();

    /** @param passes others are never handed out */
    SimulatedConsumer(List<SimulatedTopic> topics, Predicate<Written> passes) {
        this.topics = topics.stream().collect(Collectors.toMap(SimulatedTopic::name, topic -> topic));
        this.passes = passes;
    }

    /** No broker answers. */
    void away(boolean isAway) {
        away = isAway;
    }

    /** No broker ever says where topics begin. */
    void rereadsNothing() {
        rereads = false;
    }

    /** The next poll hands out so many of a topic at most. */
    void recordsMax(int records) {
        recordsMax = records;
    }

    /** What the last poll has handed out, by topic. */
    Map<String, List<Written>> polled() {
        return polled;
    }

    /** As the product uses it. */
    @SuppressWarnings("unchecked")
    Consumer<byte[], byte[]> consumer() {
        return (Consumer<byte[], byte[]>) Proxy.newProxyInstance(
                Consumer.class.getClassLoader(),
                new Class<?>[] {Consumer.class},
                (proxy, method, arguments) -> answer(method, arguments == null ? new Object[1] : arguments));
    }

    private Object answer(Method method, Object[] arguments) {
        Object first = arguments[0];
        switch (method.getName()) {
            case "partitionsFor" -> {
                requireBroker();
                return List.of(new PartitionInfo((String) first, 0, null, null, null));
            }
            case "endOffsets" -> {
                requireBroker();
                return offsets(first, true);
            }
            case "beginningOffsets" -> {
                requireBroker();
                if (!rereads) {
                    throw new TimeoutException("no broker says where the topic begins");
                }
                return offsets(first, false);
            }
            case "assign" -> positions.keySet().retainAll(partitions(first));
            case "seekToBeginning" -> partitions(first).forEach(partition -> positions.put(partition, 0L));
            case "seek" -> positions.put((TopicPartition) first, (Long) arguments[1]);
            case "assignment" -> {
                return Set.copyOf(positions.keySet());
            }
            case "position" -> {
                return positions.get((TopicPartition) first);
            }
            case "pause" -> paused.addAll(partitions(first));
            case "resume" -> paused.removeAll(partitions(first));
            case "paused" -> {
                return Set.copyOf(paused);
            }
            case "poll" -> {
                return poll();
            }
            case "close" -> positions.clear();
            default -> throw new UnsupportedOperationException(method.toString());
        }
        return null;
    }

    private void requireBroker() {
        if (away) {
            throw new TimeoutException("no broker answers");
        }
    }

    @SuppressWarnings("unchecked")
    private static Collection<TopicPartition> partitions(Object given) {
        return (Collection<TopicPartition>) given;
    }

    private Map<TopicPartition, Long> offsets(Object partitions, boolean ends) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (TopicPartition partition : partitions(partitions)) {
            SimulatedTopic topic = topics.get(partition.topic());
            offsets.put(partition, ends ? topic.end() : topic.first());
        }
        return offsets;
    }

    private ConsumerRecords<byte[], byte[]> poll() {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new LinkedHashMap<>();
        polled = new HashMap<>();
        for (TopicPartition partition : List.copyOf(positions.keySet())) {
            if (!away && !paused.contains(partition)) {
                records.put(partition, read(partition));
            }
        }
        return new ConsumerRecords<>(records, Map.of());
    }

    /** Compaction may have left nothing up to the end, where the place then is. */
    private List<ConsumerRecord<byte[], byte[]>> read(TopicPartition partition) {
        SimulatedTopic topic = topics.get(partition.topic());
        List<Written> found = topic.from(positions.get(partition)).values().stream()
                .limit(recordsMax)
                .toList();
        boolean isAll = found.size() < recordsMax;
        if (isAll || !found.isEmpty()) {
            positions.put(
                    partition, isAll ? topic.end() : found.get(found.size() - 1).offset() + 1);
        }
        List<Written> handed = found.stream().filter(passes).toList();
        polled.put(partition.topic(), found);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        handed.forEach(record -> records.add(record(partition, record)));
        return records;
    }

    private static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, Written record) {
        RecordHeaders headers = new RecordHeaders();
        if (record.signature() != null) {
            headers.add(new RecordHeader(SignatureFormat.HEADER, record.signature()));
        }
        return new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                record.offset(),
                record.at(),
                TimestampType.CREATE_TIME,
                -1,
                -1,
                record.keyBytes(),
                record.value(),
                headers,
                Optional.empty());
    }
}
