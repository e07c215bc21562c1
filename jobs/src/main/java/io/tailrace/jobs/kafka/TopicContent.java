package io.tailrace.jobs.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic's committed records from its beginning to where it ends now. */
final class TopicContent {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private TopicContent() {}

    /** Gives each record to the reader; of one partition in their order. */
    static void read(Properties clientProperties, String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader)
            throws IOException {
        Properties properties = new Properties();
        properties.putAll(clientProperties);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            read(consumer, topic, reader);
        } catch (KafkaException e) {
            throw new IOException("cannot read topic %s: %s".formatted(topic, e.getMessage()), e);
        }
    }

    private static void read(
            KafkaConsumer<byte[], byte[]> consumer, String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader)
            throws IOException {
        List<TopicPartition> partitions = consumer.partitionsFor(topic, PATIENCE).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new IOException("topic %s could not be read to its end within %d s; is Kafka well?"
                        .formatted(topic, PATIENCE.toSeconds()));
            }
            consumer.poll(Duration.ofMillis(200)).forEach(reader);
        }
    }
}
