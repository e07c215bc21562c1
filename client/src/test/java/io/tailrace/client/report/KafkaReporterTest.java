package io.tailrace.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.ReportTopics;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.WorkerStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaReporterTest {
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final KafkaReporter reporter =
            new KafkaReporter(new LateProducer(() -> producer), ReportTopics.everybodys("p-"));

    @Test
    void generationIsKeyedByItsRequest() throws UndecodableRecordException {
        reporter.generation(generation("r-1"));
        ProducerRecord<byte[], byte[]> sent = producer.history().get(0);
        assertThat(sent.topic()).isEqualTo("p-generations");
        assertThat(new String(sent.key(), StandardCharsets.UTF_8)).isEqualTo("r-1");
        assertThat(RecordCodec.GENERATION.decode(sent.value())).isEqualTo(generation("r-1"));
    }

    @Test
    void statusIsKeyedByWorkerAndLane() {
        reporter.status(WorkerStatus.newBuilder()
                .setWorker("w")
                .setWorkerClass("c")
                .setLane(new Lane("m", "1", "s"))
                .setLoadedVersion(0)
                .setLoadedAt(Instant.EPOCH)
                .setAnnouncedVersion(0)
                .setRefreshAgeMillis(0)
                .setLoads(0)
                .setFailures(0)
                .setFreshnessP50Millis(-1)
                .setFreshnessP99Millis(-1)
                .setReportedAt(Instant.EPOCH)
                .build());
        ProducerRecord<byte[], byte[]> sent = producer.history().get(0);
        assertThat(sent.topic()).isEqualTo("p-workers");
        assertThat(new String(sent.key(), StandardCharsets.UTF_8)).isEqualTo("w#m@1/s");
    }

    @Test
    void recordTheClientGivesUpIsCountedAndServingGoesOn() {
        reporter.generation(generation("a"));
        reporter.generation(generation("b"));
        producer.errorNext(new TimeoutException("broker away"));
        producer.completeNext();
        assertThat(reporter.failures()).isEqualTo(1);
        producer.sendException = new TimeoutException("buffer full");
        reporter.generation(generation("c"));
        assertThat(reporter.failures()).isEqualTo(2);
    }

    @Test
    void closeSendsWhatIsBuffered() {
        reporter.generation(generation("a"));
        reporter.close();
        assertThat(producer.closed()).isTrue();
    }

    private static Generation generation(String id) {
        return Generation.newBuilder()
                .setRequestId(id)
                .setLane(new Lane("m", "1", "s"))
                .setProducer("w")
                .setResponse(TokenIds.toList(new int[] {1}))
                .setStartedAt(Instant.EPOCH)
                .setCompletedAt(Instant.EPOCH)
                .build();
    }
}
