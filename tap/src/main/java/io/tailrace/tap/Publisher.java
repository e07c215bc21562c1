package io.tailrace.tap;

import io.tailrace.client.report.Reporter;
import io.tailrace.schemas.Generation;
import io.tailrace.tap.proxy.Exchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes exchanges, one after the other, in a thread of its own. Whoever brings one waits for nothing: not for a tokenizer, a disk or Kafka. */
final class Publisher implements AutoCloseable {
    static final int EXCHANGES_WAITING_MAX = 1_024;

    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final Duration CLOSING_TIME_MAX = Duration.ofSeconds(10);

    private final Generations generations;
    private final Reporter reporter;
    private final TapMetrics metrics;
    private final Duration closingTimeMax;
    private final ThreadPoolExecutor thread;
    private final AtomicLong broken = new AtomicLong();

    /**
     * Begins to publish.
     *
     * @param reporter stays the caller's
     * @param waitingMax exchanges that may wait; more are dropped
     */
    Publisher(Generations generations, Reporter reporter, TapMetrics metrics, int waitingMax) {
        this(generations, reporter, metrics, waitingMax, CLOSING_TIME_MAX);
    }

    /** The same with the time in which it still publishes what waits once it is closed. */
    Publisher(Generations generations, Reporter reporter, TapMetrics metrics, int waitingMax, Duration closingTimeMax) {
        this.generations = generations;
        this.reporter = reporter;
        this.metrics = metrics;
        this.closingTimeMax = closingTimeMax;
        this.thread = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waitingMax), work -> new Thread(work, "publish"));
    }

    /** Takes an exchange over. */
    void offer(Exchange exchange) {
        Publication publication = new Publication(exchange);
        try {
            thread.execute(publication);
        } catch (RejectedExecutionException e) {
            publication.drop();
        }
    }

    /** Exchanges that wait. */
    int waiting() {
        return thread.getQueue().size();
    }

    /** Whatever is wrong with one, the next is published. */
    private void publish(Exchange exchange) {
        try (exchange) {
            generations.make(exchange, this::report, metrics::skipped);
        } catch (RuntimeException | Error e) {
            metrics.skipped(SkipReason.BROKEN);
            long count = broken.incrementAndGet();
            if (Long.bitCount(count) == 1) {
                LOG.error("an answer could not be published ({} so far)", count, e);
            }
        }
    }

    private void report(Generation generation) {
        reporter.generation(generation);
        metrics.published(generation.getResponse().size());
    }

    /**
     * Publishes what waits, and drops what is left of it when the time for that is over. The one at work is waited for to its end, however long: what it uses may be
     * closed next, and to interrupt it could damage what it writes.
     */
    @Override
    public void close() {
        thread.shutdown();
        boolean interrupted = false;
        long millis = closingTimeMax.toMillis();
        for (boolean over = false; !over; millis = Long.MAX_VALUE) {
            try {
                over = thread.awaitTermination(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (!over) {
                dropWaiting();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void dropWaiting() {
        List<Runnable> waiting = new ArrayList<>();
        thread.getQueue().drainTo(waiting);
        waiting.forEach(each -> ((Publication) each).drop());
        if (!waiting.isEmpty()) {
            LOG.warn("{} answers are not published: the tap ends", waiting.size());
        }
    }

    private final class Publication implements Runnable {
        private final Exchange exchange;

        Publication(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void run() {
            publish(exchange);
        }

        void drop() {
            exchange.close();
            metrics.skipped(SkipReason.BEHIND);
        }
    }
}
