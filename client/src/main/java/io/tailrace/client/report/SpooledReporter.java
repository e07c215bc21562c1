package io.tailrace.client.report;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.ReportTopics;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.WorkerStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports through a spool; a lane's status, which is worthless when late, goes to Kafka directly. While the disk takes nothing, reports wait in
 * memory instead, as many as have room there.
 */
final class SpooledReporter implements Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(SpooledReporter.class);

    private final Spool spool;
    private final SpoolSender sender;
    private final KafkaReporter direct;
    private final Unspooled unspooled;

    /** Takes over spool and producer; nothing is sent before {@link #start}. */
    SpooledReporter(
            String worker,
            Spool spool,
            Unspooled unspooled,
            LateProducer producer,
            ReportTopics topics,
            Duration drainTimeMax) {
        this.spool = spool;
        this.unspooled = unspooled;
        this.sender = new SpoolSender(worker + "-reports", spool, unspooled, producer, topics, drainTimeMax);
        this.direct = new KafkaReporter(producer, topics);
    }

    void start() {
        sender.start();
    }

    /** What sends, for whoever does without its thread. */
    SpoolDelivery delivery() {
        return sender.delivery();
    }

    @Override
    public void generation(Generation generation) {
        append(Topic.GENERATIONS, generation.getRequestId(), RecordCodec.GENERATION.encode(generation));
    }

    @Override
    public void outcome(Outcome outcome) {
        append(Topic.OUTCOMES, outcome.getRequestId(), RecordCodec.OUTCOME.encode(outcome));
    }

    @Override
    public void status(WorkerStatus status) {
        direct.status(status);
    }

    /** Reports lost: by the spool's bound, by a full disk and full memory, by the brokers for their size. */
    @Override
    public long failures() {
        return unspooled.lost() + sender.givenUp() + spool.droppedRecords() + direct.failures();
    }

    @Override
    public boolean live() {
        return sender.live();
    }

    @Override
    public Optional<SpoolState> spool() {
        return Optional.of(new SpoolState(
                spool.pendingRecords(),
                spool.bytes(),
                spool.droppedRecords(),
                spool.lostBytes(),
                unspooled.taken(),
                unspooled.pendingRecords()));
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
    private void append(Topic topic, String requestId, byte[] value) {
        Spool.Entry report = new Spool.Entry(topic.name(""), requestId.getBytes(StandardCharsets.UTF_8), value);
        try {
            spool.append(report);
        } catch (IOException e) {
            if (unspooled.add(report)) {
                sayRefused(topic, e);
            } else {
                sayLost(topic, e);
            }
        }
    }

    private void sayRefused(Topic topic, IOException why) {
        long refused = unspooled.taken();
        if (Long.bitCount(refused) == 1) {
            LOG.warn(
                    "the spool's disk does not take a report for topic {} ({} so far), it waits in memory, which a kill would lose: {}",
                    topic.name(""),
                    refused,
                    why.toString());
        }
    }

    private void sayLost(Topic topic, IOException why) {
        long lost = unspooled.lost();
        if (Long.bitCount(lost) == 1) {
            LOG.error(
                    "a report for topic {} is lost ({} so far): neither the spool's disk nor memory has room, and Kafka is away: {}",
                    topic.name(""),
                    lost,
                    why.toString());
        }
    }
}
