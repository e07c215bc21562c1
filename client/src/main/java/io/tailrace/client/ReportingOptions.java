package io.tailrace.client;

import io.tailrace.client.follow.internal.Brokers;
import io.tailrace.client.report.Reporter;
import io.tailrace.schemas.ReportTopics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * How a worker reaches Kafka, and how it reports there.
 *
 * @param kafka access
 * @param boundTopics NAME of {@link ReportTopics} that are bound to scopes; empty: everybody's
 * @param spool folder of what Kafka does not have yet, each worker its own; empty: that waits in memory, and is lost with the process
 * @param spoolBytesMax bound of the folder; the oldest reports go first
 * @param prompts generations carry the prompt
 * @param drainTimeMax how long a stopping worker goes on sending what is spooled; the rest stays on disk
 */
public record ReportingOptions(
        KafkaAccess kafka,
        Optional<String> boundTopics,
        Optional<Path> spool,
        long spoolBytesMax,
        boolean prompts,
        Duration drainTimeMax) {
    /** Short limits: the spool retries, and a stopping worker shall not wait for brokers that are away. */
    private static final Map<String, String> SPOOLED_DEFAULTS =
            Map.of("delivery.timeout.ms", "10000", "request.timeout.ms", "5000", "max.block.ms", "2000");

    public ReportingOptions {
        Objects.requireNonNull(kafka, "kafka");
        new ReportTopics(kafka.topicPrefix(), boundTopics);
        Objects.requireNonNull(spool, "spool");
        Objects.requireNonNull(drainTimeMax, "drainTimeMax");
        if (spoolBytesMax < Reporter.SPOOL_BYTES_MIN) {
            throw new IllegalArgumentException(
                    "spoolBytesMax must be at least %d, got %d".formatted(Reporter.SPOOL_BYTES_MIN, spoolBytesMax));
        }
    }

    /** 256 MiB of spool, prompts reported, 10 s of sending after the end. */
    public static ReportingOptions of(KafkaAccess kafka, Path spool) {
        return new ReportingOptions(
                kafka, Optional.empty(), Optional.of(spool), 256L << 20, true, Duration.ofSeconds(10));
    }

    /** What Kafka does not have yet waits in memory. */
    public static ReportingOptions unspooled(KafkaAccess kafka) {
        return new ReportingOptions(
                kafka, Optional.empty(), Optional.empty(), Reporter.SPOOL_BYTES_MIN, true, Duration.ofSeconds(10));
    }

    /** Access as the reports' producer needs it; short limits only where the client properties say nothing else. */
    KafkaAccess producing() {
        if (spool.isEmpty()) {
            return kafka;
        }
        Map<String, String> properties = new HashMap<>(SPOOLED_DEFAULTS);
        properties.putAll(kafka.clientProperties());
        return new KafkaAccess(kafka.bootstrap(), kafka.topicPrefix(), properties);
    }

    /**
     * A reporter on its own, for a process that publishes and does not draft.
     *
     * @param name of the producer, unique in the fleet
     * @throws IOException if the spool cannot be used
     * @throws UnreachableBrokersException if no broker's name resolves, or a client property is wrong
     */
    public Reporter open(String name) throws IOException {
        Brokers brokers = producing().brokers();
        Producer<byte[], byte[]> producer = producer(name, brokers);
        try {
            return reporter(name, brokers.topicPrefix(), () -> producer);
        } catch (IOException | RuntimeException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    /**
     * A reporter that sends what an earlier process left in the spool. No broker's name needs to resolve yet, and closing it waits for none.
     *
     * @param name of the producer, unique in the fleet
     * @throws IOException if the spool cannot be used
     */
    public Reporter openLeft(String name) throws IOException {
        ReportingOptions atOnce =
                new ReportingOptions(kafka, boundTopics, spool, spoolBytesMax, prompts, Duration.ZERO);
        return atOnce.reporter(name, producing().brokers());
    }

    private static Producer<byte[], byte[]> producer(String worker, Brokers brokers) {
        try {
            return brokers.newProducer(worker + "-reports");
        } catch (KafkaException e) {
            throw new UnreachableBrokersException(e.getMessage(), e);
        }
    }

    /** A reporter through these brokers, whose names need not resolve yet. */
    Reporter reporter(String worker, Brokers brokers) throws IOException {
        return reporter(worker, brokers.topicPrefix(), () -> brokers.newProducer(worker + "-reports"));
    }

    private Reporter reporter(String worker, String topicPrefix, Supplier<Producer<byte[], byte[]>> producer)
            throws IOException {
        ReportTopics topics = new ReportTopics(topicPrefix, boundTopics);
        return spool.isEmpty()
                ? Reporter.buffered(producer, topics)
                : Reporter.spooled(worker, spool.get(), spoolBytesMax, producer, topics, drainTimeMax);
    }
}
