package io.tailrace.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.ReportTopics;
import io.tailrace.schemas.TokenIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder in a spool file's place stands for a disk that takes nothing. */
class FullDiskTest {
    private static final int ANSWERS = 120;

    @TempDir
    private Path folder;

    @Test
    void whatTheDiskDoesNotTakeReachesKafkaFromMemoryAndIsCounted() throws Exception {
        MockProducer<byte[], byte[]> producer = producer(true);
        Reporter reporter = open(producer, Unspooled.BYTES_MAX);
        report(reporter);
        await().until(() -> state(reporter).memoryRecords() == 0);
        assertThat(producer.history()).hasSize(ANSWERS);
        assertThat(state(reporter).refusedRecords()).isEqualTo(ANSWERS);
        assertThat(reporter.failures()).isZero();
        Files.delete(inTheWay());
        reporter.generation(generation(ANSWERS));
        await().until(() -> producer.history().size() == ANSWERS + 1);
        assertThat(state(reporter).refusedRecords()).as("the disk takes again").isEqualTo(ANSWERS);
        reporter.close();
    }

    @Test
    void withoutKafkaItWaitsAndTheDiskGetsItOnceItTakesAgain() throws Exception {
        MockProducer<byte[], byte[]> producer = producer(false);
        Reporter reporter = open(producer, Unspooled.BYTES_MAX);
        report(reporter);
        assertThat(state(reporter).memoryRecords()).isEqualTo(ANSWERS);
        await().until(() -> !producer.history().isEmpty());
        Files.delete(inTheWay());
        await().until(() -> {
            producer.errorNext(new TimeoutException("nobody there"));
            return state(reporter).memoryRecords() == 0;
        });
        assertThat(state(reporter).pendingRecords()).isEqualTo(ANSWERS);
        assertThat(reporter.failures()).isZero();
        reporter.close();
        try (Spool spool = Spool.open(folder, 1 << 20)) {
            assertThat(spool.pendingRecords()).isEqualTo(ANSWERS);
        }
    }

    @Test
    void whatFindsNoRoomAnywhereIsCountedAsLost() throws Exception {
        Reporter reporter = open(producer(false), 2_000);
        report(reporter);
        long held = state(reporter).memoryRecords();
        assertThat(held).isBetween(5L, ANSWERS - 1L);
        assertThat(reporter.failures()).isEqualTo(ANSWERS - held);
        reporter.close();
        assertThat(reporter.failures()).as("and what a stop leaves in memory").isEqualTo(ANSWERS);
        assertThat(state(reporter).memoryRecords()).isZero();
    }

    /** Full from its first report on. */
    private Reporter open(MockProducer<byte[], byte[]> producer, long memoryBytesMax) throws IOException {
        Spool spool = Spool.open(folder, 1 << 20);
        Files.createDirectory(inTheWay());
        SpooledReporter reporter = new SpooledReporter(
                "w",
                spool,
                new Unspooled(memoryBytesMax),
                new LateProducer(() -> producer),
                ReportTopics.everybodys(""),
                Duration.ofMillis(200));
        reporter.start();
        return reporter;
    }

    private Path inTheWay() {
        return folder.resolve("%016d.spool".formatted(0));
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    private static MockProducer<byte[], byte[]> producer(boolean acknowledges) {
        return new MockProducer<>(acknowledges, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static SpoolState state(Reporter reporter) {
        return reporter.spool().orElseThrow();
    }

    private static void report(Reporter reporter) {
        for (int i = 0; i < ANSWERS; i++) {
            reporter.generation(generation(i));
        }
    }

    private static Generation generation(int number) {
        return Generation.newBuilder()
                .setRequestId("r-" + number)
                .setLane(new Lane("m", "1", "s"))
                .setProducer("w")
                .setPrompt(null)
                .setResponse(TokenIds.toList(new int[] {1, 2, number}))
                .setStartedAt(Instant.EPOCH)
                .setCompletedAt(Instant.EPOCH)
                .setTemperature(null)
                .build();
    }
}
