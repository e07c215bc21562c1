package io.tailrace.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.ReportTopics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
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
