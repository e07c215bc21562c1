package io.tailrace.worker.serve;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.spool.Spool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * How a serving worker reaches Kafka.
 *
 * @param kafka access
 * @param spool folder of what Kafka does not have yet; each worker its own
 * @param spoolBytesMax bound of the folder; the oldest reports go first
 * @param prompts generations carry the prompt
 * @param drainTimeMax how long a stopping worker goes on sending; the rest stays on disk
 */
public record ReportingOptions(
        KafkaAccess kafka, Path spool, long spoolBytesMax, boolean prompts, Duration drainTimeMax) {
    /** Short limits: the spool retries, and a stopping worker shall not wait for brokers that are away. */
    private static final Map<String, String> PRODUCER_DEFAULTS =
            Map.of("delivery.timeout.ms", "10000", "request.timeout.ms", "5000", "max.block.ms", "2000");

    public ReportingOptions {
        Objects.requireNonNull(kafka, "kafka");
        Objects.requireNonNull(spool, "spool");
        Objects.requireNonNull(drainTimeMax, "drainTimeMax");
        if (spoolBytesMax < Spool.BYTES_MIN) {
            throw new IllegalArgumentException(
                    "spoolBytesMax must be at least %d, got %d".formatted(Spool.BYTES_MIN, spoolBytesMax));
        }
    }

    /** 256 MiB of spool, prompts reported, 10 s of sending after the end. */
    public static ReportingOptions of(KafkaAccess kafka, Path spool) {
        return new ReportingOptions(kafka, spool, 256L << 20, true, Duration.ofSeconds(10));
    }

    /** Access with the producer's short limits, where the client properties say nothing else. */
    KafkaAccess producing() {
        Map<String, String> properties = new HashMap<>(PRODUCER_DEFAULTS);
        properties.putAll(kafka.clientProperties());
        return new KafkaAccess(kafka.bootstrap(), kafka.topicPrefix(), properties);
    }
}
