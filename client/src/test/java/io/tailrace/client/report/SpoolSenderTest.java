package io.tailrace.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.ReportTopics;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolSenderTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsInTheSpoolArrivesAndLeavesIt() throws Exception {
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = producer(true)) {
            append(spool, 30);
            try (SpoolSender sender = started(spool, producer)) {
                await().until(() -> spool.pendingRecords() == 0);
                append(spool, 5);
                await().until(() -> producer.history().size() == 35);
                assertThat(sender.givenUp()).isZero();
            }
            assertThat(producer.history().get(34).value()).isEqualTo(new byte[] {4});
        }
    }

    @Test
    void whatTheBrokersDoNotAcknowledgeStaysAndIsSentAgain() throws Exception {
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = producer(false)) {
            append(spool, 2);
            try (SpoolSender sender = started(spool, producer)) {
                await().until(() -> producer.history().size() == 2);
                assertThat(producer.completeNext()).isTrue();
                assertThat(producer.errorNext(new TimeoutException("nobody there")))
                        .isTrue();
                await().until(() -> producer.history().size() == 3);
                assertThat(producer.history().get(2).value()).isEqualTo(new byte[] {1});
                assertThat(producer.completeNext()).isTrue();
                await().until(() -> spool.pendingRecords() == 0);
                assertThat(sender.givenUp()).isZero();
            }
        }
    }

    @Test
    void aRecordTooLargeForTheBrokersDoesNotHoldUpTheOthers() throws Exception {
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = producer(false)) {
            append(spool, 2);
            try (SpoolSender sender = started(spool, producer)) {
                await().until(() -> producer.history().size() == 2);
                assertThat(producer.errorNext(new RecordTooLargeException("too large")))
                        .isTrue();
                assertThat(producer.completeNext()).isTrue();
                await().until(() -> spool.pendingRecords() == 0);
                assertThat(sender.givenUp()).isEqualTo(1);
            }
        }
    }

    /** A disk that is full for a moment: the cursor cannot be written. */
    @Test
    void aSpoolThatCannotBeAdvancedForAWhileIsEmptiedOnceItCan() throws Exception {
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = producer(true)) {
            Path inTheWay = Files.createDirectories(folder.resolve("cursor.new"));
            append(spool, 1);
            try (SpoolSender sender = started(spool, producer)) {
                await().until(() -> producer.history().size() == 1);
                append(spool, 1);
                await().until(() -> producer.history().size() == 2);
                assertThat(sender.live()).isTrue();
                Files.delete(inTheWay);
                append(spool, 1);
                await().until(() -> spool.pendingRecords() == 0);
                assertThat(producer.history()).hasSize(3);
            }
        }
        try (Spool spool = Spool.open(folder, 1 << 20)) {
            assertThat(spool.pendingRecords()).isZero();
        }
    }

    @Test
    void aProducerThatBreaksOnceEndsNothing() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        MockProducer<byte[], byte[]> breaksOnce =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                    @Override
                    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> sent) {
                        if (asked.incrementAndGet() == 1) {
                            throw new IllegalStateException("a bug");
                        }
                        return super.send(sent);
                    }
                };
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = breaksOnce) {
            append(spool, 1);
            try (SpoolSender sender = started(spool, producer)) {
                await().until(() -> spool.pendingRecords() == 0);
                assertThat(asked).as("the first time it broke").hasValue(2);
                assertThat(producer.history()).hasSize(1);
                assertThat(sender.live()).isTrue();
            }
        }
    }

    @Test
    void closingWithoutBrokersLeavesEverythingForTheNextStart() throws Exception {
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = producer(false)) {
            append(spool, 3);
            SpoolSender sender = new SpoolSender(
                    "test",
                    spool,
                    new Unspooled(Unspooled.BYTES_MAX),
                    new LateProducer(() -> producer),
                    ReportTopics.everybodys(""),
                    Duration.ofMillis(50));
            sender.start();
            sender.close();
            assertThat(spool.pendingRecords()).isEqualTo(3);
        }
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = producer(true);
                SpoolSender sender = started(spool, producer)) {
            await().until(() -> spool.pendingRecords() == 0);
            assertThat(producer.history()).hasSize(3);
            assertThat(sender.givenUp()).isZero();
        }
    }

    @Test
    void whatWasKeptGoesToTheTopicsOfTheProcessThatSendsIt() throws Exception {
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = producer(true)) {
            append(spool, 1);
            spool.append(new Spool.Entry("outcomes", new byte[] {7}, new byte[] {9}));
            SpoolDelivery delivery = new SpoolDelivery(
                    "test",
                    spool,
                    new Unspooled(Unspooled.BYTES_MAX),
                    new LateProducer(() -> producer),
                    ReportTopics.bound("p-", "acme"));
            assertThat(delivery.round(0)).isTrue();
            assertThat(producer.history())
                    .extracting(ProducerRecord::topic)
                    .containsExactly("p-generations-acme", "p-outcomes-acme");
        }
    }

    @Test
    void aTopicThatIsRefusedHoldsUpNoOther() throws Exception {
        AtomicBoolean refuses = new AtomicBoolean(true);
        AtomicLong nanos = new AtomicLong();
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = refusing("outcomes", refuses)) {
            SpoolDelivery delivery = delivery(spool, producer, nanos);
            appendPairs(spool, 600);
            for (int round = 0; round < 10; round++) {
                assertThat(delivery.round(0)).isTrue();
            }
            assertThat(producer.history()).extracting(ProducerRecord::topic).containsOnly("generations");
            assertThat(producer.history())
                    .extracting(sent -> ByteBuffer.wrap(sent.value()).getInt())
                    .hasSize(600)
                    .doesNotHaveDuplicates();
            assertThat(spool.pendingRecords()).isEqualTo(600);
            spool.append(new Spool.Entry("generations", new byte[] {7}, new byte[4]));
            delivery.round(0);
            assertThat(producer.history()).as("one that comes behind them").hasSize(601);
        }
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = refusing("outcomes", refuses)) {
            assertThat(spool.pendingRecords()).as("outlives the process").isEqualTo(600);
            SpoolDelivery delivery = delivery(spool, producer, nanos);
            delivery.round(0);
            refuses.set(false);
            delivery.round(0);
            assertThat(producer.history()).as("not tried again so soon").isEmpty();
            nanos.addAndGet(SpoolDelivery.HELD_RETRY_NANOS);
            for (int round = 0; round < 10; round++) {
                delivery.round(0);
            }
            assertThat(producer.history())
                    .extracting(sent -> ByteBuffer.wrap(sent.value()).getInt())
                    .hasSize(600)
                    .isSorted();
            assertThat(spool.pendingRecords()).isZero();
        }
    }

    /** A disk that takes nothing more: what cannot be held apart stays where it is. */
    @Test
    void whatCannotBeHeldApartIsNotLost() throws Exception {
        AtomicBoolean refuses = new AtomicBoolean(true);
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = refusing("outcomes", refuses)) {
            SpoolDelivery delivery = delivery(spool, producer, new AtomicLong());
            Path inTheWay = Files.createDirectories(folder.resolve("held/lock"));
            appendPairs(spool, 3);
            assertThat(delivery.round(0)).isFalse();
            assertThat(spool.pendingRecords())
                    .as("the first generation is sent")
                    .isEqualTo(5);
            Files.delete(inTheWay);
            assertThat(delivery.round(0)).isTrue();
            assertThat(spool.pendingRecords()).isEqualTo(3);
            refuses.set(false);
            assertThat(delivery.round(0)).isTrue();
        }
    }

    @Test
    void whatCannotBeHeldApartHoldsUpNoOtherTopicAndHasNothingSentTwice() throws Exception {
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = refusing("outcomes", new AtomicBoolean(true))) {
            SpoolDelivery delivery = delivery(spool, producer, new AtomicLong());
            Files.createDirectories(folder.resolve("held/lock"));
            appendPairs(spool, 600);
            for (int round = 0; round < 5; round++) {
                assertThat(delivery.round(0)).isFalse();
            }
            assertThat(producer.history())
                    .extracting(sent -> ByteBuffer.wrap(sent.value()).getInt())
                    .hasSize(600)
                    .doesNotHaveDuplicates();
        }
    }

    /** Somebody has made a file of that name. */
    @Test
    void aFileWhereRecordsAreHeldApartIsPutAside() throws Exception {
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = refusing("outcomes", new AtomicBoolean(true))) {
            Files.createFile(folder.resolve("held"));
            appendPairs(spool, 3);
            assertThat(delivery(spool, producer, new AtomicLong()).round(0)).isTrue();
            assertThat(producer.history()).hasSize(3);
            assertThat(folder.resolve("held.aside")).isRegularFile();
        }
    }

    @Test
    void aTopicThatIsRefusedHidesNoOtherInMemory() throws Exception {
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = refusing("outcomes", new AtomicBoolean(true))) {
            Unspooled memory = new Unspooled(Unspooled.BYTES_MAX);
            for (int i = 0; i < 600; i++) {
                assertThat(memory.add(new Spool.Entry("outcomes", new byte[0], new byte[1])))
                        .isTrue();
            }
            assertThat(memory.add(new Spool.Entry("generations", new byte[0], new byte[1])))
                    .isTrue();
            Files.createDirectory(folder.resolve("%016d.spool".formatted(0)));
            SpoolDelivery delivery = new SpoolDelivery(
                    "test",
                    spool,
                    memory,
                    new LateProducer(() -> producer),
                    ReportTopics.everybodys(""),
                    System::nanoTime);
            assertThat(delivery.round(0)).isFalse();
            assertThat(producer.history()).hasSize(1);
            assertThat(memory.pendingRecords()).isEqualTo(600);
        }
    }

    /** As by a kill: the cursor is as it was before. */
    @Test
    void whatIsHeldApartAndNotPassedYetIsSentTwiceAndNotLost() throws Exception {
        AtomicBoolean refuses = new AtomicBoolean(true);
        Path inTheWay = folder.resolve("cursor.new");
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = refusing("outcomes", refuses)) {
            Files.createDirectory(inTheWay);
            appendPairs(spool, 3);
            assertThat(delivery(spool, producer, new AtomicLong()).round(0)).isFalse();
        }
        Files.delete(inTheWay);
        refuses.set(false);
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer = refusing("outcomes", refuses)) {
            assertThat(spool.pendingRecords()).isEqualTo(9);
            assertThat(delivery(spool, producer, new AtomicLong()).round(0)).isTrue();
            assertThat(spool.pendingRecords()).isZero();
            assertThat(producer.history()).hasSize(9);
        }
    }

    /** Where brokers are away, the producer waits for seconds before it refuses a record. */
    @Test
    void aTopicThatIsRefusedAtOnceIsNotAskedForEveryRecord() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (Spool spool = Spool.open(folder, 1 << 20);
                MockProducer<byte[], byte[]> producer =
                        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                            @Override
                            public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> sent) {
                                asked.incrementAndGet();
                                return CompletableFuture.failedFuture(new TimeoutException("nobody there"));
                            }
                        }) {
            append(spool, 600);
            assertThat(delivery(spool, producer, new AtomicLong()).round(0)).isFalse();
            assertThat(asked).hasValue(1);
            assertThat(spool.pendingRecords()).isEqualTo(600);
        }
    }

    private static SpoolDelivery delivery(Spool spool, MockProducer<byte[], byte[]> producer, AtomicLong nanos) {
        return new SpoolDelivery(
                "test",
                spool,
                new Unspooled(Unspooled.BYTES_MAX),
                new LateProducer(() -> producer),
                ReportTopics.everybodys(""),
                nanos::get);
    }

    private static MockProducer<byte[], byte[]> refusing(String topic, AtomicBoolean refuses) {
        return new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> sent) {
                return refuses.get() && sent.topic().equals(topic)
                        ? CompletableFuture.failedFuture(new TopicAuthorizationException(topic))
                        : super.send(sent);
            }
        };
    }

    private static void appendPairs(Spool spool, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            byte[] value = ByteBuffer.allocate(4).putInt(0, i).array();
            spool.append(new Spool.Entry("generations", new byte[] {7}, value));
            spool.append(new Spool.Entry("outcomes", new byte[] {7}, value));
        }
    }

    private static SpoolSender started(Spool spool, MockProducer<byte[], byte[]> producer) {
        SpoolSender sender = new SpoolSender(
                "test",
                spool,
                new Unspooled(Unspooled.BYTES_MAX),
                new LateProducer(() -> producer),
                ReportTopics.everybodys(""),
                Duration.ofSeconds(5));
        sender.start();
        return sender;
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    private static MockProducer<byte[], byte[]> producer(boolean acknowledges) {
        return new MockProducer<>(acknowledges, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static void append(Spool spool, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            spool.append(new Spool.Entry("generations", new byte[] {7}, new byte[] {(byte) i}));
        }
    }
}
