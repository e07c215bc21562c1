package io.tailrace.client.report;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * A producer that is made when something is to be sent first: while no broker's name resolves, Kafka's client cannot be made. It is tried again
 * each second. Safe for any number of threads.
 */
final class LateProducer {
    private static final long RETRY_NANOS = 1_000_000_000;

    private final Supplier<Producer<byte[], byte[]>> brokers;
    private Producer<byte[], byte[]> made;
    private KafkaException failure;
    private long failedNanos;
    private boolean closed;

    LateProducer(Supplier<Producer<byte[], byte[]>> brokers) {
        this.brokers = brokers;
    }

    /**
     * The producer.
     *
     * @throws KafkaException if it cannot be made now
     */
    synchronized Producer<byte[], byte[]> get() {
        if (made != null) {
            return made;
        }
        if (closed || (failure != null && System.nanoTime() - failedNanos < RETRY_NANOS)) {
            throw new KafkaException(closed ? "it is closed" : failure.getMessage(), failure);
        }
        try {
            made = brokers.get();
            return made;
        } catch (KafkaException e) {
            failure = e;
            failedNanos = System.nanoTime();
            throw e;
        }
    }

    synchronized void close(Duration timeMax) {
        closed = true;
        if (made != null) {
            made.close(timeMax);
        }
    }
}
