package io.tailrace.jobs.kafka;

import io.tailrace.schemas.SkippedRecords;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.schemas.signing.UntrustedRecordException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A topic's committed records from its beginning to where it ends now. */
final class TopicContent {
    private static final Logger LOG = LoggerFactory.getLogger(TopicContent.class);
    /** Of this process, which reads topics again and again. */
    private static final SkippedRecords REFUSED = new SkippedRecords();

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private TopicContent() {}

    /** A record's signature; null where it has none. */
    static byte[] signature(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(SignatureFormat.HEADER);
        return header == null ? null : header.value();
    }

    /** Gives each record that is trusted to the reader; of one partition in their order. */
    static void read(
            Properties clientProperties,
            String topic,
            TrustedKeys trusted,
            Consumer<ConsumerRecord<byte[], byte[]>> reader)
            throws IOException {
        read(clientProperties, topic, record -> {
            try {
                trusted.check(record.topic(), record.key(), record.value(), signature(record));
            } catch (UntrustedRecordException e) {
                refuse(record, e);
                return;
            }
            reader.accept(record);
        });
    }

    private static void refuse(ConsumerRecord<byte[], byte[]> record, UntrustedRecordException why) {
        long untold = REFUSED.add(System.currentTimeMillis());
        if (untold > 0) {
            LOG.warn(
                    "record at {}-{}@{} ignored, {} since the last such line: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    untold,
                    why.getMessage());
        }
    }

    private static void read(Properties clientProperties, String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader)
            throws IOException {
        Properties properties = new Properties();
        properties.putAll(clientProperties);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            read(consumer, topic, reader, System::nanoTime);
        } catch (KafkaException e) {
            throw new IOException("cannot read topic %s: %s".formatted(topic, e.getMessage()), e);
        }
    }

    /** However much there is: it is given up only when nothing of it comes for a while. */
    static void read(
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
            String topic,
            Consumer<ConsumerRecord<byte[], byte[]>> reader,
            LongSupplier nanoTime)
            throws IOException {
        List<TopicPartition> partitions = consumer.partitionsFor(topic, PATIENCE).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
        long cameAt = nanoTime.getAsLong();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (nanoTime.getAsLong() - cameAt > PATIENCE.toNanos()) {
                throw new IOException(
                        "topic %s could not be read to its end: nothing of it came within %d s; is Kafka well?"
                                .formatted(topic, PATIENCE.toSeconds()));
            }
            long before = positions(consumer, partitions);
            consumer.poll(Duration.ofMillis(200)).forEach(reader);
            if (positions(consumer, partitions) > before) {
                cameAt = nanoTime.getAsLong();
            }
        }
    }

    private static long positions(
            org.apache.kafka.clients.consumer.Consumer<?, ?> consumer, List<TopicPartition> partitions) {
        return partitions.stream().mapToLong(consumer::position).sum();
    }
}
