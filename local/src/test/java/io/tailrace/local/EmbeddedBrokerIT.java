package io.tailrace.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.schemas.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedBrokerIT {
    private static final String TOPIC = "rivers";

    @TempDir
    private Path folder;

    @Test
    void readersOfCommittedDataSeeCommittedTransactionsOnly() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            createTopic(broker);
            write(broker, "aborted", false);
            write(broker, "committed", true);
            assertThat(read(broker)).containsExactly("committed");
        }
    }

    @Test
    void whatWasWrittenIsThereAgainAfterARestart() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            createTopic(broker);
            write(broker, "before", true);
        }
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            write(broker, "after", true);
            assertThat(read(broker)).containsExactly("before", "after");
        }
    }

    @Test
    void aWriterWhoseClockIsADayAheadIsRefusedByNoTopic() throws Exception {
        long ahead = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        Map<String, Object> settings = new HashMap<>();
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            settings.put("bootstrap.servers", broker.bootstrap());
            try (Admin admin = Admin.create(settings);
                    KafkaProducer<String, String> producer =
                            new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
                new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
                for (Topic topic : Topic.values()) {
                    long stamped = producer.send(new ProducerRecord<>(topic.name(""), 0, ahead, "key", "value"))
                            .get()
                            .timestamp();
                    assertThat(stamped).as(topic.name("")).isLessThan(ahead);
                }
            }
        }
    }

    /** However little it is on the wire: what the brokers took, every reader would have to allocate. */
    @Test
    void aRecordThatUnpacksToMoreThanTheLargestIsRefused() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
                new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
            }
            for (String compression : List.of("gzip", "zstd", "lz4", "snappy")) {
                try (KafkaProducer<byte[], byte[]> producer = compressing(broker, compression)) {
                    for (Topic topic : Topic.values()) {
                        assertThatThrownBy(() -> producer.send(zeros(topic, 4 * Topic.RECORD_BYTES_MAX))
                                        .get())
                                .as("%s, %s", topic, compression)
                                .cause()
                                .isInstanceOf(RecordTooLargeException.class);
                        producer.send(zeros(topic, 1 << 20)).get();
                    }
                }
            }
            assertThat(sizes(broker, Topic.GENERATIONS)).hasSize(4).containsOnly(1 << 20);
        }
    }

    private static KafkaProducer<byte[], byte[]> compressing(EmbeddedBroker broker, String compression) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                broker.bootstrap(),
                "compression.type",
                compression,
                "max.request.size",
                1 << 30,
                "buffer.memory",
                1L << 27);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static ProducerRecord<byte[], byte[]> zeros(Topic topic, int bytes) {
        return new ProducerRecord<>(topic.name(""), 0, new byte[] {1}, new byte[bytes]);
    }

    private static List<Integer> sizes(EmbeddedBroker broker, Topic topic) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", broker.bootstrap(), "isolation.level", "read_committed");
        List<Integer> sizes = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic.name(""), 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(read -> sizes.add(read.value().length));
            }
        }
        return sizes;
    }

    private static void createTopic(EmbeddedBroker broker) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
        }
    }

    private static void write(EmbeddedBroker broker, String value, boolean commit) throws Exception {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", broker.bootstrap(), "transactional.id", "writer", "client.id", value);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(TOPIC, value)).get();
            if (commit) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    private static List<String> read(EmbeddedBroker broker) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", broker.bootstrap(), "isolation.level", "read_committed");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<String, String> read : consumer.poll(Duration.ofMillis(200))) {
                    values.add(read.value());
                }
            }
        }
        return values;
    }
}
