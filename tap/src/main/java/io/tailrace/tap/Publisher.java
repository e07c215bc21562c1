package io.tailrace.tap;

import io.tailrace.client.report.Reporter;
import io.tailrace.schemas.Generation;
import io.tailrace.tap.proxy.Exchange;
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
    private static final long CLOSE_SECONDS_MAX = 10;

    private final Generations generations;
    private final Reporter reporter;
    private final TapMetrics metrics;
    private final ThreadPoolExecutor thread;
    private final AtomicLong broken = new AtomicLong();

    /**
     * Begins to publish.
     *
     * @param reporter stays the caller's
     * @param waitingMax exchanges that may wait; more are dropped
     */
    Publisher(Generations generations, Reporter reporter, TapMetrics metrics, int waitingMax) {
        this.generations = generations;
        this.reporter = reporter;
        this.metrics = metrics;
        this.thread = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waitingMax), work -> new Thread(work, "publish"));
    }

    /** Takes an exchange over. */
    void offer(Exchange exchange) {
        try {
            thread.execute(() -> publish(exchange));
        } catch (RejectedExecutionException e) {
            exchange.close();
            metrics.skipped(SkipReason.BEHIND);
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

    /** Publishes what waits. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("{} answers are not published", thread.shutdownNow().size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
