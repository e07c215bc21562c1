package io.tailrace.client.report;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.WorkerStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports through a spool; a lane's status, which is worthless when late, goes to Kafka directly. */
final class SpooledReporter implements Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(SpooledReporter.class);

    private final Spool spool;
    private final SpoolSender sender;
    private final KafkaReporter direct;
    private final String generationsTopic;
    private final String outcomesTopic;
    private final AtomicLong failures = new AtomicLong();

    /** Takes over spool and producer, and begins to send. */
    public SpooledReporter(
            String worker, Spool spool, Producer<byte[], byte[]> producer, String topicPrefix, Duration drainTimeMax) {
        this.spool = spool;
        this.sender = new SpoolSender(worker + "-reports", spool, producer, drainTimeMax);
        this.direct = new KafkaReporter(producer, topicPrefix);
        this.generationsTopic = Topic.GENERATIONS.name(topicPrefix);
        this.outcomesTopic = Topic.OUTCOMES.name(topicPrefix);
        sender.start();
    }

    @Override
    public void generation(Generation generation) {
        append(generationsTopic, generation.getRequestId(), RecordCodec.GENERATION.encode(generation));
    }

    @Override
    public void outcome(Outcome outcome) {
        append(outcomesTopic, outcome.getRequestId(), RecordCodec.OUTCOME.encode(outcome));
    }

    @Override
    public void status(WorkerStatus status) {
        direct.status(status);
    }

    /** Reports dropped: by the spool's bound, by a full disk, by the brokers for their size. */
    @Override
    public long failures() {
        return failures.get() + sender.givenUp() + spool.droppedRecords() + direct.failures();
    }

    @Override
    public boolean live() {
        return sender.live();
    }

    @Override
    public Optional<SpoolState> spool() {
        return Optional.of(
                new SpoolState(spool.pendingRecords(), spool.bytes(), spool.droppedRecords(), spool.lostBytes()));
    }

    @Override
    public void close() {
        try (direct) {
            sender.close();
        } finally {
            closeSpool();
        }
    }

    private void closeSpool() {
        try {
            spool.close();
        } catch (IOException e) {
            LOG.error("the spool cannot be closed; its last reports may be lost", e);
        }
    }

    /** A disk that takes nothing must not stop serving. The first failure, and then each power of two, is logged. */
    private void append(String topic, String requestId, byte[] value) {
        try {
            spool.append(new Spool.Entry(topic, requestId.getBytes(StandardCharsets.UTF_8), value));
        } catch (IOException e) {
            long count = failures.incrementAndGet();
            if (Long.bitCount(count) == 1) {
                LOG.warn("a report for topic {} cannot be spooled and is dropped ({} so far): {}", topic, count, e);
            }
        }
    }
}
