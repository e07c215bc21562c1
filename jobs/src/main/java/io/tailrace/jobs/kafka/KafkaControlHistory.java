package io.tailrace.jobs.kafka;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.UndecodableRecordException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads topic control from its beginning to where it ends now. */
public final class KafkaControlHistory implements ControlCommand.History {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(KafkaControlHistory.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Properties properties;
    private final String topic;

    /** @param clientProperties with the brokers */
    public KafkaControlHistory(Properties clientProperties, String topic) {
        this.properties = clientProperties;
        this.topic = topic;
    }

    @Override
    public List<ControlCommand> read() throws IOException {
        Properties consumerProperties = new Properties();
        consumerProperties.putAll(properties);
        consumerProperties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        consumerProperties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(consumerProperties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            return read(consumer);
        } catch (KafkaException e) {
            throw new IOException("cannot read topic %s: %s".formatted(topic, e.getMessage()), e);
        }
    }

    private List<ControlCommand> read(KafkaConsumer<byte[], byte[]> consumer) throws IOException {
        List<TopicPartition> partitions = consumer.partitionsFor(topic, PATIENCE).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
        List<ControlCommand> commands = new ArrayList<>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new IOException("topic %s could not be read to its end within %d s; is Kafka well?"
                        .formatted(topic, PATIENCE.toSeconds()));
            }
            consumer.poll(Duration.ofMillis(200)).forEach(record -> decode(record, commands));
        }
        return commands;
    }

    private static void decode(ConsumerRecord<byte[], byte[]> record, List<ControlCommand> commands) {
        try {
            commands.add(ControlCommand.decode(new RawRecord(
                    record.topic(), record.partition(), record.offset(), record.timestamp(), record.value())));
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            LOG.warn(
                    "control record at {}-{}@{} ignored: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e.getMessage());
        }
    }
}
