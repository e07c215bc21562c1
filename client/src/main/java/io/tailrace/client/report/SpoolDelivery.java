package io.tailrace.client.report;

import io.tailrace.schemas.ReportTopics;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what is in a spool to Kafka, batch by batch: a batch leaves the spool when the brokers have acknowledged it. While they do not, or the disk does
 * not let the spool be read, it stays; a record that is too large for the brokers is given up and counted.
 *
 * <p>What the disk did not take is sent from memory in the same way. While Kafka is away it is offered to the disk again. One thread at a time.
 */
final class SpoolDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolDelivery.class);
    private static final int BATCH_RECORDS = 500;
    private static final int BATCH_BYTES = 4 << 20;

    private final String name;
    private final Spool spool;
    private final Unspooled unspooled;
    private final LateProducer producer;
    private final ReportTopics topics;
    private final AtomicLong givenUp = new AtomicLong();
    private boolean inTrouble;
    private boolean spoolInTrouble;

    /**
     * A delivery of what a spool keeps by the topics' base names.
     *
     * @param name in the log
     * @param topics where it goes now: a process that starts again may have been given others
     */
    SpoolDelivery(String name, Spool spool, Unspooled unspooled, LateProducer producer, ReportTopics topics) {
        this.name = name;
        this.spool = spool;
        this.unspooled = unspooled;
        this.producer = producer;
        this.topics = topics;
    }

    /** Records that the brokers will never take. */
    long givenUp() {
        return givenUp.get();
    }

    long pendingRecords() {
        return spool.pendingRecords() + unspooled.pendingRecords();
    }

    /**
     * Sends a batch of what waits on disk and one of what waits in memory.
     *
     * @param waitMillis so long it waits for a record where there is none
     * @return false if not all of it arrived: it is to be tried again later
     */
    boolean round(long waitMillis) throws InterruptedException {
        boolean spooledSent = sendNext(waitMillis);
        return sendUnspooled() && spooledSent;
    }

    /** False if it is to be tried again later: what goes wrong once, as on a disk that is full, ends nothing. */
    private boolean sendNext(long waitMillisMax) throws InterruptedException {
        try {
            long waitMillis = unspooled.pendingRecords() > 0 ? 0 : waitMillisMax;
            Spool.Batch batch = spool.peek(BATCH_RECORDS, BATCH_BYTES, waitMillis);
            boolean arrived = batch == null || send(batch);
            sayOfSpool(null);
            return arrived;
        } catch (InterruptException e) {
            throw e;
        } catch (ClosedByInterruptException e) {
            throw new InterruptedException(e.getMessage());
        } catch (IOException | RuntimeException e) {
            sayOfSpool(e);
            return false;
        }
    }

    /** False if it is to be tried again later. */
    private boolean sendUnspooled() throws InterruptedException {
        List<Spool.Entry> waiting = unspooled.peek(BATCH_RECORDS);
        if (waiting.isEmpty()) {
            return true;
        }
        try {
            int arrived = send(waiting);
            unspooled.advance(arrived);
            return arrived == waiting.size() || spoolAfterAll();
        } catch (InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("{} cannot send what the disk did not take, trying again", name, e);
            return false;
        }
    }

    /** True if the disk has taken all that waited in memory. */
    boolean spoolAfterAll() {
        try {
            for (List<Spool.Entry> next = unspooled.peek(1); !next.isEmpty(); next = unspooled.peek(1)) {
                spool.append(next.get(0));
                unspooled.advance(1);
            }
            return true;
        } catch (IOException stillFull) {
            LOG.debug("{}: the spool's disk still takes nothing", name, stillFull);
            return false;
        }
    }

    /** True if all of it arrived. */
    private boolean send(Spool.Batch batch) throws IOException, InterruptedException {
        int arrived = send(batch.entries());
        spool.advance(batch, arrived);
        return arrived == batch.size();
    }

    /** How many arrived, from the first on. */
    private int send(List<Spool.Entry> batch) throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        KafkaException trouble = null;
        for (int i = 0; i < batch.size() && trouble == null; i++) {
            Spool.Entry spooled = batch.get(i);
            try {
                sent.add(producer.get()
                        .send(new ProducerRecord<>(topics.named(spooled.topic()), spooled.key(), spooled.value())));
            } catch (InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                trouble = e;
            }
        }
        int arrived = 0;
        while (arrived < sent.size() && acknowledged(sent.get(arrived))) {
            arrived++;
        }
        say(arrived == batch.size(), trouble);
        return arrived;
    }

    private boolean acknowledged(Future<RecordMetadata> sent) throws InterruptedException {
        try {
            sent.get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RecordTooLargeException) {
                LOG.warn(
                        "a report was given up ({} so far): {}",
                        givenUp.incrementAndGet(),
                        e.getCause().getMessage());
                return true;
            }
            say(false, e.getCause());
            return false;
        }
    }

    /** Says once that the spool cannot be read or advanced, and once that it can again. */
    private void sayOfSpool(Exception trouble) {
        if (trouble != null && !spoolInTrouble) {
            LOG.error("{} cannot empty the spool, trying again; reports stay there", name, trouble);
        } else if (trouble == null && spoolInTrouble) {
            LOG.info("{} empties the spool again", name);
        }
        spoolInTrouble = trouble != null;
    }

    /** Says once that Kafka is away, and once that it is back. */
    private void say(boolean well, Throwable why) {
        if (well && inTrouble) {
            LOG.info("{}: Kafka takes reports again", name);
        } else if (!well && !inTrouble && why != null) {
            LOG.warn("{}: Kafka takes no reports, they are kept meanwhile: {}", name, why.toString());
        }
        inTrouble = !well && (inTrouble || why != null);
    }
}
