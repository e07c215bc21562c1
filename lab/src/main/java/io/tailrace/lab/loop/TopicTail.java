package io.tailrace.lab.loop;

import io.tailrace.schemas.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads topics from their beginning, committed records only, without a consumer group. */
final class TopicTail implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String prefix;
    private final Map<String, Topic> topics = new HashMap<>();

    TopicTail(Map<String, String> clientSettings, String prefix, Collection<Topic> tailed) {
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", false);
        settings.put("auto.offset.reset", "earliest");
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.prefix = prefix;
        List<TopicPartition> partitions = new ArrayList<>();
        for (Topic topic : tailed) {
            topics.put(topic.name(prefix), topic);
            partitions.addAll(partitions(topic));
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Hands over what is there, waiting up to {@code max} for the first record. */
    void poll(Duration max, BiConsumer<Topic, ConsumerRecord<byte[], byte[]>> reader) {
        for (ConsumerRecord<byte[], byte[]> read : consumer.poll(max)) {
            reader.accept(topics.get(read.topic()), read);
        }
    }

    /** Records that were ever written to a topic whose writers use no transactions, and that retention has not reached. */
    long records(Topic topic) {
        List<TopicPartition> partitions = partitions(topic);
        long records = 0;
        for (long end : consumer.endOffsets(partitions).values()) {
            records += end;
        }
        for (long begin : consumer.beginningOffsets(partitions).values()) {
            records -= begin;
        }
        return records;
    }

    @Override
    public void close() {
        consumer.close();
    }

    private List<TopicPartition> partitions(Topic topic) {
        return consumer.partitionsFor(topic.name(prefix)).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
    }
}
