package io.tailrace.client.report;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.ReportTopics;
import io.tailrace.schemas.WorkerStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes reports to Kafka. The producer is idempotent, buffers up to its {@code buffer.memory} and retries within its delivery
 * timeout; a record that it gives up is counted and logged by topic, and serving goes on.
 */
final class KafkaReporter implements Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaReporter.class);
    private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(30);

    private final LateProducer producer;
    private final ReportTopics topics;
    private final AtomicLong failures = new AtomicLong();

    /** Takes over the producer: it is closed with the reporter. */
    public KafkaReporter(LateProducer producer, ReportTopics topics) {
        this.producer = producer;
        this.topics = topics;
    }

    @Override
    public void generation(Generation generation) {
        send(topics.generations(), generation.getRequestId(), RecordCodec.GENERATION.encode(generation));
    }

    @Override
    public void outcome(Outcome outcome) {
        send(topics.outcomes(), outcome.getRequestId(), RecordCodec.OUTCOME.encode(outcome));
    }

    @Override
    public void status(WorkerStatus status) {
        send(
                topics.workers(),
                status.getWorker() + "#" + LaneId.of(status.getLane()),
                RecordCodec.WORKER_STATUS.encode(status));
    }

    private void send(String topic, String key, byte[] value) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value);
        try {
            Future<RecordMetadata> unused = producer.get().send(message, (sent, wrong) -> {
                if (wrong != null) {
                    givenUp(topic, wrong);
                }
            });
        } catch (KafkaException e) {
            givenUp(topic, e);
        }
    }

    /** The first, and then each power of two, is logged: an outage must not fill the log. */
    private void givenUp(String topic, Exception why) {
        long count = failures.incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.warn("a record for topic {} was given up ({} so far): {}", topic, count, why.toString());
        }
    }

    @Override
    public long failures() {
        return failures.get();
    }

    /** Kafka's producer never gives up for good. */
    @Override
    public boolean live() {
        return true;
    }

    @Override
    public Optional<SpoolState> spool() {
        return Optional.empty();
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIME_MAX);
    }
}
