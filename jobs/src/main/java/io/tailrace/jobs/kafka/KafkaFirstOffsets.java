package io.tailrace.jobs.kafka;

import io.tailrace.operators.admission.FirstOffsets;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Asks the brokers where topics' partitions begin. */
public final class KafkaFirstOffsets implements FirstOffsets {
    private static final long serialVersionUID = 1L;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Properties properties;

    /**
     * The first offsets of topics.
     *
     * @param clientProperties with the brokers
     */
    public KafkaFirstOffsets(Properties clientProperties) {
        this.properties = clientProperties;
    }

    @Override
    public long of(String topic, int partition) throws IOException {
        Properties asking = new Properties();
        asking.putAll(properties);
        asking.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        TopicPartition asked = new TopicPartition(topic, partition);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(asking, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            return consumer.beginningOffsets(List.of(asked), PATIENCE).get(asked);
        } catch (KafkaException e) {
            throw new IOException("cannot ask where %s begins: %s".formatted(asked, e.getMessage()), e);
        }
    }
}
