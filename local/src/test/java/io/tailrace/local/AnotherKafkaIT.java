package io.tailrace.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.jobs.kafka.AskedTopics;
import io.tailrace.jobs.kafka.KafkaEnds;
import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.jobs.options.KafkaArguments;
import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.RawRecord;
import io.tailrace.schemas.Topic;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job's sources and sinks with a savepoint of another Kafka, whose offsets and transactions mean nothing here, or of other times of this one. */
@Tag("full")
class AnotherKafkaIT {
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    /** So long that what the job has written waits for the savepoint. */
    private static final long SELDOM_MILLIS = 600_000;

    private static final long OFTEN_MILLIS = 200;

    @TempDir
    private Path folder;

    /** Passes records on as they are. */
    private static final class Copy implements MapFunction<RawRecord, OutgoingRecord> {
        private static final long serialVersionUID = 1L;

        @Override
        public OutgoingRecord map(RawRecord record) {
            return new OutgoingRecord(new byte[] {1}, record.value());
        }
    }

    private static KafkaArguments options(String bootstrap, String... more) {
        List<String> options = new ArrayList<>(List.of(
                "--bootstrap", bootstrap, "--store", "file:///unused", "--model", "m@1,vocabulary=9,tokenizer=t"));
        options.addAll(List.of(more));
        return IndexJobOptions.parse(options.toArray(String[]::new)).kafka();
    }

    private static void copies(
            StreamExecutionEnvironment environment, String bootstrap, long checkpointMillis, long rereadMillis) {
        copies(environment, options(bootstrap), checkpointMillis, rereadMillis);
    }

    private static void copies(
            StreamExecutionEnvironment environment, KafkaArguments options, long checkpointMillis, long rereadMillis) {
        KafkaEnds ends = new KafkaEnds(options, options.keys());
        environment.enableCheckpointing(checkpointMillis, CheckpointingMode.EXACTLY_ONCE);
        environment
                .fromSource(
                        ends.generations(rereadMillis),
                        WatermarkStrategy.noWatermarks(),
                        "generations",
                        TypeInformation.of(RawRecord.class))
                .uid("source")
                .map(new Copy())
                .uid("copy")
                .sinkTo(ends.sink(Topic.REJECTIONS))
                .uid("sink");
    }

    private static Map<String, Object> settings(EmbeddedBroker broker) {
        return Map.of("bootstrap.servers", broker.bootstrap());
    }

    private EmbeddedBroker broker(String name) throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve(name));
        try (Admin admin = Admin.create(settings(broker))) {
            new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
        }
        return broker;
    }

    private static long write(EmbeddedBroker broker, String name, int count) throws Exception {
        return write(broker, new TopicPartition("generations", 0), name, count);
    }

    private static long write(EmbeddedBroker broker, TopicPartition partition, String name, int count)
            throws Exception {
        long last = 0;
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings(broker), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (String value : named(name, count)) {
                byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                last = producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), null, bytes))
                        .get()
                        .timestamp();
            }
        }
        return last;
    }

    private static List<String> named(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> name + i).toList();
    }

    /** Committed or not. */
    private static List<String> copied(EmbeddedBroker broker, boolean committed) {
        Map<String, Object> reading = Map.of(
                "bootstrap.servers",
                broker.bootstrap(),
                "isolation.level",
                committed ? "read_committed" : "read_uncommitted");
        List<String> copied = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition all = new TopicPartition("rejections", 0);
            consumer.assign(List.of(all));
            consumer.seekToBeginning(List.of(all));
            long end = consumer.endOffsets(List.of(all)).get(all);
            while (consumer.position(all) < end) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(record -> copied.add(new String(record.value(), StandardCharsets.UTF_8)));
            }
        }
        return copied;
    }

    private static void awaitCopied(EmbeddedBroker broker, boolean committed, List<String> names) {
        Awaitility.await("copies of " + names)
                .atMost(WAIT_MAX)
                .untilAsserted(() -> assertThat(copied(broker, committed)).containsExactlyElementsOf(names));
    }

    /** A savepoint that holds ten records' offsets, and a transaction with their copies. */
    private static String savepoint(LocalFlink flink, EmbeddedBroker broker) throws Exception {
        LocalJob job = flink.submit(
                "before",
                environment -> copies(environment, broker.bootstrap(), SELDOM_MILLIS, KafkaEnds.FROM_BEGINNING));
        job.awaitRunning(WAIT_MAX);
        awaitCopied(broker, false, named("before", 10));
        return job.stopWithSavepoint();
    }

    private static void goesOn(
            LocalFlink flink, String savepoint, EmbeddedBroker broker, long rereadMillis, List<String> copies)
            throws Exception {
        LocalJob job = flink.submit(
                "after", environment -> copies(environment, broker.bootstrap(), OFTEN_MILLIS, rereadMillis), savepoint);
        awaitCopied(broker, true, copies);
        String second = job.stopWithSavepoint();
        LocalJob again = flink.submit(
                "again", environment -> copies(environment, broker.bootstrap(), OFTEN_MILLIS, rereadMillis), second);
        again.awaitRunning(WAIT_MAX);
        write(broker, "later", 2);
        List<String> all = new ArrayList<>(copies);
        all.addAll(named("later", 2));
        awaitCopied(broker, true, all);
        again.cancel();
    }

    private LocalFlink flink() throws Exception {
        return LocalFlink.start(new LocalFlink.Options(folder.resolve("flink"), 0, 1, 1, Map.of()));
    }

    @Test
    void itIsReadFromItsBeginningAndThenOnAndWhatWaitedToBeCommittedIsLeft() throws Exception {
        try (EmbeddedBroker before = broker("a");
                EmbeddedBroker after = broker("b");
                LocalFlink flink = flink()) {
            write(before, "before", 10);
            write(after, "early", 15);
            goesOn(flink, savepoint(flink, before), after, KafkaEnds.FROM_BEGINNING, named("early", 15));
            assertThat(copied(before, true)).containsExactlyElementsOf(named("before", 10));
        }
    }

    @Test
    void aMirrorIsReadFromAWhileBeforeTheLastRecord() throws Exception {
        try (EmbeddedBroker before = broker("a");
                EmbeddedBroker after = broker("b");
                LocalFlink flink = flink()) {
            long early = write(after, "early", 5);
            Awaitility.await().atMost(WAIT_MAX).until(() -> System.currentTimeMillis() > early + 10);
            write(before, "before", 10);
            String savepoint = savepoint(flink, before);
            write(after, "mirrored", 3);
            goesOn(flink, savepoint, after, 1, named("mirrored", 3));
        }
    }

    private static List<String> joined(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private static void awaitCommitted(Admin admin, String group, TopicPartition partition, long offset) {
        Awaitility.await("offsets of " + group)
                .atMost(WAIT_MAX)
                .untilAsserted(() -> assertThat(admin.listConsumerGroupOffsets(group)
                                .partitionsToOffsetAndMetadata()
                                .get()
                                .get(partition))
                        .isEqualTo(new OffsetAndMetadata(offset)));
    }

    @Test
    void whatCameToAnIdlePartitionAfterTheSavepointIsReadAgainFromIt() throws Exception {
        try (EmbeddedBroker broker = broker("a");
                Admin admin = Admin.create(settings(broker));
                LocalFlink flink = flink()) {
            KafkaArguments options = options(broker.bootstrap());
            TopicPartition idle = new TopicPartition("generations", 1);
            write(broker, "before", 3);
            LocalJob job = flink.submit(
                    "before", environment -> copies(environment, options, OFTEN_MILLIS, KafkaEnds.FROM_BEGINNING));
            awaitCopied(broker, true, named("before", 3));
            String savepoint = job.savepoint();
            write(broker, idle, "after", 2);
            List<String> once = joined(named("before", 3), named("after", 2));
            awaitCopied(broker, true, once);
            awaitCommitted(admin, options.group(), idle, 2);
            job.cancel();
            LocalJob again = flink.submit(
                    "again",
                    environment -> copies(environment, options, OFTEN_MILLIS, KafkaEnds.FROM_BEGINNING),
                    savepoint);
            awaitCopied(broker, true, joined(once, named("after", 2)));
            again.cancel();
        }
    }

    @Test
    void aTopicThatIsNotReadMayBeDeletedAndOneOfItsNameIsReadFromItsBeginning() throws Exception {
        try (EmbeddedBroker broker = broker("a");
                Admin admin = Admin.create(settings(broker));
                LocalFlink flink = flink()) {
            KafkaArguments with = options(broker.bootstrap(), "--bound-topics", "acme=acme");
            KafkaArguments without = options(broker.bootstrap());
            TopicPartition bound = new TopicPartition("generations-acme", 0);
            create(admin, bound.topic());
            write(broker, bound, "before", 3);
            LocalJob job = flink.submit(
                    "before", environment -> copies(environment, with, OFTEN_MILLIS, KafkaEnds.FROM_BEGINNING));
            awaitCopied(broker, true, named("before", 3));
            String savepoint = job.stopWithSavepoint();
            delete(admin, bound.topic());
            write(broker, "unbound", 2);
            List<String> copies = joined(named("before", 3), named("unbound", 2));
            LocalJob unbound = flink.submit(
                    "unbound",
                    environment -> copies(environment, without, OFTEN_MILLIS, KafkaEnds.FROM_BEGINNING),
                    savepoint);
            awaitCopied(broker, true, copies);
            String second = unbound.stopWithSavepoint();
            create(admin, bound.topic());
            write(broker, bound, "anew", 2);
            LocalJob again = flink.submit(
                    "again", environment -> copies(environment, with, OFTEN_MILLIS, KafkaEnds.FROM_BEGINNING), second);
            awaitCopied(broker, true, joined(copies, named("anew", 2)));
            again.cancel();
        }
    }

    private static void create(Admin admin, String topic) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 3, (short) 1))).all().get();
    }

    private static void delete(Admin admin, String topic) throws Exception {
        admin.deleteTopics(List.of(topic)).all().get();
        Awaitility.await()
                .atMost(WAIT_MAX)
                .until(() -> !admin.listTopics().names().get().contains(topic));
    }

    @Test
    void aTopicThatWasMadeAnewIsAnotherOne() throws Exception {
        try (EmbeddedBroker broker = broker("a");
                Admin admin = Admin.create(settings(broker))) {
            Properties properties = new Properties();
            properties.putAll(settings(broker));
            AskedTopics topics = new AskedTopics(properties);
            String first = topics.now("generations");
            write(broker, "before", 3);
            assertThat(topics.now("generations")).isEqualTo(first);
            assertThat(topics.since("generations", 0, Long.MAX_VALUE)).isEqualTo(3);
            assertThat(topics.since("generations", 0, 0)).isZero();
            delete(admin, "generations");
            create(admin, "generations");
            assertThat(topics.now("generations"))
                    .isNotEqualTo(first)
                    .startsWith(first.substring(0, first.indexOf('/')));
            assertThat(topics.partitions("generations")).isEqualTo(3);
        }
    }
}
