package io.tailrace.client.report;

import io.tailrace.schemas.ReportTopics;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what is in a spool to Kafka, batch by batch: a batch leaves the spool when the brokers have acknowledged it. While they do not, or the disk does
 * not let the spool be read, it stays; a record that is too large for the brokers is given up and counted. Records of a topic that they refuse while they
 * take another's are held apart and tried again now and then, so that they hold up nobody.
 *
 * <p>What the disk did not take is sent from memory in the same way. While Kafka is away it is offered to the disk again. One thread at a time.
 */
final class SpoolDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolDelivery.class);
    private static final int BATCH_RECORDS = 500;
    private static final int BATCH_BYTES = 4 << 20;
    /** A topic that is refused may block for as long as the producer waits for it. */
    static final long HELD_RETRY_NANOS = 5_000_000_000L;

    private final String name;
    private final Spool spool;
    private final Unspooled unspooled;
    private final LateProducer producer;
    private final ReportTopics topics;
    private final LongSupplier nanos;
    private final AtomicLong givenUp = new AtomicLong();
    /** Topics of which the brokers took what they were given last. */
    private final Set<String> taken = new HashSet<>();
    /** Topics whose records are held apart. */
    private final Set<String> refused = new HashSet<>();
    /** Where records of a file end that have arrived, though one before them could be neither sent nor held apart. */
    private final Set<Long> passed = new HashSet<>();

    private long passedFile;
    private boolean heldFailed;
    private long heldTriedNanos;
    private boolean inTrouble;
    private boolean spoolInTrouble;

    /**
     * A delivery of what a spool keeps by the topics' base names.
     *
     * @param name in the log
     * @param topics where it goes now: a process that starts again may have been given others
     */
    SpoolDelivery(String name, Spool spool, Unspooled unspooled, LateProducer producer, ReportTopics topics) {
        this(name, spool, unspooled, producer, topics, System::nanoTime);
    }

    SpoolDelivery(
            String name,
            Spool spool,
            Unspooled unspooled,
            LateProducer producer,
            ReportTopics topics,
            LongSupplier nanos) {
        this.name = name;
        this.spool = spool;
        this.unspooled = unspooled;
        this.producer = producer;
        this.topics = topics;
        this.nanos = nanos;
    }

    /** What became of some entries. */
    private record Sent(BitSet arrived, Throwable trouble) {}

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
            Spool.Batch batch = passed.isEmpty()
                    ? spool.peek(BATCH_RECORDS, BATCH_BYTES, waitMillis)
                    : spool.peek(Integer.MAX_VALUE, 2 * BATCH_BYTES, waitMillis);
            boolean arrived = batch == null || send(batch);
            sendHeld();
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
            Sent sent = send(waiting, refused);
            unspooled.remove(sent.arrived().stream().mapToObj(waiting::get).toList());
            boolean all = sent.arrived().cardinality() == waiting.size();
            say(all, sent.trouble());
            return all || spoolAfterAll();
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
            for (Spool.Entry next = unspooled.first(); next != null; next = unspooled.first()) {
                spool.append(next);
                unspooled.remove(List.of(next));
            }
            return true;
        } catch (IOException stillFull) {
            LOG.debug("{}: the spool's disk still takes nothing", name, stillFull);
            return false;
        }
    }

    /** True if all of it arrived, or is held apart. */
    private boolean send(Spool.Batch batch) throws IOException, InterruptedException {
        List<Integer> left = IntStream.range(0, batch.size())
                .filter(i -> batch.file() != passedFile
                        || !passed.contains(batch.ends().get(i)))
                .boxed()
                .toList();
        Sent sent = send(left.stream().map(batch.entries()::get).toList(), refused);
        BitSet missing = new BitSet();
        left.forEach(missing::set);
        sent.arrived().stream().forEach(i -> missing.clear(left.get(i)));
        int done = 0;
        try {
            while (done < batch.size()
                    && (!missing.get(done) || held(batch.entries().get(done), sent))) {
                done++;
            }
        } finally {
            pass(batch, done, missing);
            spool.advance(batch, done);
        }
        say(done == batch.size(), sent.trouble());
        return done == batch.size();
    }

    /** What has arrived behind the first that has not is not sent again while this process runs. */
    private void pass(Spool.Batch batch, int done, BitSet missing) {
        passed.clear();
        passedFile = batch.file();
        for (int i = done; i < batch.size(); i++) {
            if (!missing.get(i)) {
                passed.add(batch.ends().get(i));
            }
        }
    }

    /** True for an entry that is held apart from now on: the brokers do not take its topic, but another. */
    private boolean held(Spool.Entry spooled, Sent sent) throws IOException {
        if (!refused.contains(spooled.topic()) && taken.isEmpty()) {
            return false;
        }
        spool.hold(spooled);
        if (refused.add(spooled.topic())) {
            LOG.warn(
                    "{}: Kafka takes no reports for topic {}, they are kept apart meanwhile: {}",
                    name,
                    topics.named(spooled.topic()),
                    String.valueOf(sent.trouble()));
        }
        return true;
    }

    /** A batch of what is held apart, if it is time. */
    private void sendHeld() throws IOException, InterruptedException {
        Optional<Spool> apart = spool.held();
        if (apart.isPresent() && (!heldFailed || nanos.getAsLong() - heldTriedNanos >= HELD_RETRY_NANOS)) {
            sendHeld(apart.get());
        }
        if (!refused.isEmpty() && spool.held().isEmpty()) {
            LOG.info("{}: Kafka takes reports for every topic again", name);
            refused.clear();
        }
    }

    private void sendHeld(Spool apart) throws IOException, InterruptedException {
        Spool.Batch batch = apart.peek(BATCH_RECORDS, BATCH_BYTES, 0);
        if (batch != null) {
            int arrived = send(batch.entries(), Set.of()).arrived().nextClearBit(0);
            apart.advance(batch, arrived);
            heldFailed = arrived < batch.size();
            heldTriedNanos = nanos.getAsLong();
        }
    }

    /**
     * Sends what is not of these topics. Of each topic what comes behind a record that was not taken does not count as arrived either, and is not tried
     * where it was refused at once: each might block as long.
     */
    private Sent send(List<Spool.Entry> batch, Set<String> topicsSkipped) throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        Set<String> failed = new HashSet<>(topicsSkipped);
        Throwable trouble = null;
        boolean goesOn = true;
        for (Spool.Entry spooled : batch) {
            Future<RecordMetadata> one = null;
            try {
                if (goesOn && !failed.contains(spooled.topic())) {
                    one = producer.get()
                            .send(new ProducerRecord<>(topics.named(spooled.topic()), spooled.key(), spooled.value()));
                }
            } catch (InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                trouble = e;
                goesOn = false;
            }
            sent.add(one);
            if (one != null && one.isDone() && troubleOf(one) != null) {
                failed.add(spooled.topic());
            }
        }
        failed.clear();
        BitSet arrived = new BitSet();
        for (int i = 0; i < batch.size(); i++) {
            String topic = batch.get(i).topic();
            Throwable ofOne = sent.get(i) == null || failed.contains(topic) ? null : troubleOf(sent.get(i));
            trouble = trouble == null ? ofOne : trouble;
            if (sent.get(i) == null || ofOne != null) {
                failed.add(topic);
            }
            if (!failed.contains(topic)) {
                countIfGivenUp(sent.get(i));
                arrived.set(i);
                taken.add(topic);
            }
        }
        if (!goesOn) {
            taken.clear();
        }
        taken.removeAll(failed);
        return new Sent(arrived, trouble);
    }

    /** Why a record did not arrive and may later; null if it did, or never will. */
    private static Throwable troubleOf(Future<RecordMetadata> sent) throws InterruptedException {
        Throwable why = failureOf(sent);
        return why instanceof RecordTooLargeException ? null : why;
    }

    private static Throwable failureOf(Future<RecordMetadata> sent) throws InterruptedException {
        try {
            sent.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private void countIfGivenUp(Future<RecordMetadata> sent) throws InterruptedException {
        Throwable tooLarge = failureOf(sent);
        if (tooLarge != null) {
            LOG.warn("a report was given up ({} so far): {}", givenUp.incrementAndGet(), tooLarge.getMessage());
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
