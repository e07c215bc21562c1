package io.tailrace.client.report;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.utils.ExponentialBackoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that empties a spool into Kafka, batch by batch: a batch leaves the spool when the brokers have acknowledged it.
 * While they do not, or the disk does not let the spool be read, the thread tries again and again; a record that is too large
 * for the brokers is given up and counted.
 *
 * <p>What the disk did not take is sent from memory in the same way. While Kafka is away it is offered to the disk again.
 */
final class SpoolSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolSender.class);
    private static final int BATCH_RECORDS = 500;
    private static final int BATCH_BYTES = 4 << 20;
    private static final long WAIT_MILLIS = 100;
    private static final long RETRY_MILLIS_MIN = 100;
    private static final ExponentialBackoff BETWEEN_TRIES = new ExponentialBackoff(RETRY_MILLIS_MIN, 2, 5_000, 0);

    private final Spool spool;
    private final Unspooled unspooled;
    private final Producer<byte[], byte[]> producer;
    private final Duration drainTimeMax;
    private final Thread thread;
    private final Object pausing = new Object();
    private final AtomicLong givenUp = new AtomicLong();
    private volatile long stopAtNanos = Long.MAX_VALUE;
    private volatile boolean stopping;
    private boolean inTrouble;
    private boolean spoolInTrouble;

    /**
     * A sender that is not started yet. Spool and producer stay their owners'.
     *
     * @param drainTimeMax how long {@link #close} goes on sending
     */
    SpoolSender(
            String name, Spool spool, Unspooled unspooled, Producer<byte[], byte[]> producer, Duration drainTimeMax) {
        this.spool = spool;
        this.unspooled = unspooled;
        this.producer = producer;
        this.drainTimeMax = drainTimeMax;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** False if the thread has ended though nobody closed it. */
    public boolean live() {
        return thread.isAlive() || stopping;
    }

    /** Records that the brokers will never take. */
    public long givenUp() {
        return givenUp.get();
    }

    /** Sends what waits, for a while; the rest stays in the spool for the next start, if the disk takes it. */
    @Override
    public void close() {
        stopAtNanos = System.nanoTime() + drainTimeMax.toNanos();
        synchronized (pausing) {
            stopping = true;
            pausing.notifyAll();
        }
        try {
            thread.join(drainTimeMax.toMillis() + 1);
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
        spoolAfterAll();
        int lost = unspooled.abandon();
        if (lost > 0) {
            LOG.error("{} reports are lost: neither Kafka nor the spool's disk takes them", lost);
        }
        if (spool.pendingRecords() > 0) {
            LOG.warn("{} records stay in the spool; the next start sends them", spool.pendingRecords());
        }
    }

    private void run() {
        int failures = 0;
        try {
            while (!stopping || (pendingRecords() > 0 && System.nanoTime() < stopAtNanos)) {
                boolean spooledSent = sendNext();
                failures = sendUnspooled() && spooledSent ? 0 : failures + 1;
                pause(failures == 0 ? 0 : BETWEEN_TRIES.backoff(failures - 1));
            }
        } catch (InterruptedException | InterruptException e) {
            LOG.info("{} stops with {} records unsent", thread.getName(), pendingRecords());
        }
    }

    private long pendingRecords() {
        return spool.pendingRecords() + unspooled.pendingRecords();
    }

    /** False if it is to be tried again later: what goes wrong once, as on a disk that is full, ends nothing. */
    private boolean sendNext() throws InterruptedException {
        try {
            long waitMillis = unspooled.pendingRecords() > 0 ? 0 : WAIT_MILLIS;
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

    /** Waits before it tries again; {@link #close} ends the wait for the last tries, which follow each other more closely. */
    private void pause(long millis) throws InterruptedException {
        synchronized (pausing) {
            long soonest = Math.min(millis, RETRY_MILLIS_MIN);
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(stopping ? soonest : millis);
            boolean wasStopping = stopping;
            for (long left = until - System.nanoTime();
                    left > 0 && stopping == wasStopping;
                    left = until - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(pausing, left);
            }
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
            LOG.error("{} cannot send what the disk did not take, trying again", thread.getName(), e);
            return false;
        }
    }

    /** True if the disk has taken all that waited in memory. */
    private boolean spoolAfterAll() {
        try {
            for (List<Spool.Entry> next = unspooled.peek(1); !next.isEmpty(); next = unspooled.peek(1)) {
                spool.append(next.get(0));
                unspooled.advance(1);
            }
            return true;
        } catch (IOException stillFull) {
            LOG.debug("{}: the spool's disk still takes nothing", thread.getName(), stillFull);
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
                sent.add(producer.send(new ProducerRecord<>(spooled.topic(), spooled.key(), spooled.value())));
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
            LOG.error("{} cannot empty the spool, trying again; reports stay there", thread.getName(), trouble);
        } else if (trouble == null && spoolInTrouble) {
            LOG.info("{} empties the spool again", thread.getName());
        }
        spoolInTrouble = trouble != null;
    }

    /** Says once that Kafka is away, and once that it is back. */
    private void say(boolean well, Throwable why) {
        if (well && inTrouble) {
            LOG.info("{}: Kafka takes reports again", thread.getName());
        } else if (!well && !inTrouble && why != null) {
            LOG.warn("{}: Kafka takes no reports, they are kept meanwhile: {}", thread.getName(), why.toString());
        }
        inTrouble = !well && (inTrouble || why != null);
    }
}
