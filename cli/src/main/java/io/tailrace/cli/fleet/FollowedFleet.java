package io.tailrace.cli.fleet;

import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A fleet view that a thread keeps up with the topics. Safe for any number of threads. */
public final class FollowedFleet implements AutoCloseable {
    /** Outcomes are read from so long ago on, events from a little more than the day within which each account is told again. */
    static final Duration OUTCOMES_BACK = Duration.ofHours(1);

    static final Duration EVENTS_BACK = Duration.ofHours(25);

    private static final Logger LOG = LoggerFactory.getLogger(FollowedFleet.class);
    private static final Duration LOOKUP_MAX = Duration.ofSeconds(10);
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(8);
    private static final long RETRY_MILLIS = 1_000;

    private final Supplier<LoopTopics> topicsOpened;
    private final LoopTopics topics;
    private final FleetView view = new FleetView();
    private final Semaphore looking = new Semaphore(1);
    private final Thread thread = new Thread(this::follow, "fleet-view");
    private volatile boolean closed;
    private volatile boolean caughtUp;
    private volatile long answeredNanos = System.nanoTime();
    private volatile long written;

    private FollowedFleet(Supplier<LoopTopics> topicsOpened) {
        this.topicsOpened = topicsOpened;
        this.topics = topicsOpened.get();
    }

    /**
     * Begins to follow.
     *
     * @param topicsOpened opens the topics, for the thread and for each lookup
     * @throws io.tailrace.client.UnreachableBrokersException if no broker answers
     */
    public static FollowedFleet start(Supplier<LoopTopics> topicsOpened) {
        FollowedFleet fleet = new FollowedFleet(topicsOpened);
        fleet.thread.setDaemon(true);
        fleet.thread.start();
        return fleet;
    }

    /** What is read of each topic, by the epoch milliseconds of its first record; 0: all. */
    static Map<Topic, Long> since(long nowMillis) {
        return Map.of(
                Topic.SNAPSHOTS,
                0L,
                Topic.WORKERS,
                0L,
                Topic.CONTROL,
                0L,
                Topic.REJECTIONS,
                nowMillis - EVENTS_BACK.toMillis(),
                Topic.EVENTS,
                nowMillis - EVENTS_BACK.toMillis(),
                Topic.OUTCOMES,
                nowMillis - OUTCOMES_BACK.toMillis());
    }

    private void follow() {
        try (topics) {
            boolean begun = false;
            while (!closed) {
                begun = begun || tried(this::begin);
                boolean unused = begun && tried(this::more);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A world that is bad now is tried again: what was read stays. */
    private boolean tried(Runnable reading) throws InterruptedException {
        try {
            reading.run();
            return true;
        } catch (RuntimeException e) {
            LOG.warn("topics could not be read: {}", e.toString());
            Thread.sleep(RETRY_MILLIS);
            return false;
        }
    }

    private void begin() {
        topics.begin(since(System.currentTimeMillis()));
    }

    private void more() {
        if (!caughtUp) {
            topics.readToEnds(this::take, Long.MAX_VALUE);
        }
        long asked = System.nanoTime();
        written = topics.everWritten(Topic.GENERATIONS);
        answeredNanos = System.nanoTime();
        caughtUp = true;
        while (!closed && System.nanoTime() - asked < ASK_NANOS) {
            topics.follow(Duration.ofMillis(200), this::take);
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) throws UndecodableRecordException {
        synchronized (view) {
            view.take(topics.topic(record), record);
        }
        answeredNanos = System.nanoTime();
    }

    /** Asks the view, which must not be kept. */
    public <T> T ask(Function<FleetView, T> question) {
        synchronized (view) {
            return question.apply(view);
        }
    }

    /**
     * Looks for a request's generations; one lookup at a time, for ten seconds at most.
     *
     * @throws IllegalStateException if others look: who asks is not to wait in a thread that all pages need
     */
    public GenerationTrace generation(String requestId) {
        if (!looking.tryAcquire()) {
            throw new IllegalStateException("another request is being looked up; try again in some seconds");
        }
        try (LoopTopics own = topicsOpened.get()) {
            GenerationLookup lookup = GenerationLookup.read(own, requestId, LOOKUP_MAX);
            return ask(lookup::trace);
        } finally {
            looking.release();
        }
    }

    /** Records ever written to topic generations. */
    public long written() {
        return written;
    }

    /** Records that could not be read, or were not to be trusted. */
    public long skipped() {
        return topics.skipped();
    }

    /** Why what is shown may not be all; empty: it is all. */
    public String trouble() {
        long silent = System.nanoTime() - answeredNanos;
        if (silent > SILENT_NANOS) {
            return "The brokers have not answered for %d s. What is shown is older."
                    .formatted(TimeUnit.NANOSECONDS.toSeconds(silent));
        }
        return caughtUp ? "" : "The topics are still being read. What is shown is not all.";
    }

    /** Whether all that was there at the start has been read. */
    public boolean caughtUp() {
        return caughtUp;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
