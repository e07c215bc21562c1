package io.tailrace.schemas;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The topics, in one place: name, key, partitions, and how Kafka cleans them up. The brokers stamp every record: what is old is not judged by as many
 * clocks as there are writers, and a writer whose clock is ahead is not refused for it.
 */
public enum Topic {
    GENERATIONS("generations", "request id", 8, Cleanup.DELETE, Duration.ofHours(24)),
    OUTCOMES("outcomes", "request id", 4, Cleanup.DELETE, Duration.ofHours(24)),
    REJECTIONS("rejections", "topic-partition-offset", 1, Cleanup.DELETE, Duration.ofDays(7)),
    /** Keyed by lane and version: compaction by lane alone would destroy history. The publisher tombstones what retention drops. */
    SNAPSHOTS("snapshots", "lane#version", 1, Cleanup.COMPACT, null),
    /** Kept for ever: a restored job applies the deletes it finds before it announces. */
    CONTROL("control", "command id", 1, Cleanup.DELETE, null),
    /** By the brokers' stamps the job judges which workers are there. */
    WORKERS("workers", "worker#lane", 1, Cleanup.COMPACT, null),
    EVENTS("events", "lane", 1, Cleanup.DELETE, Duration.ofDays(7)),
    /** What the job has just admitted, for workers to draft from until a snapshot holds it; nobody reads it twice. */
    ADMITTED("admitted", "lane", 16, Cleanup.DELETE, Duration.ofMinutes(10));

    /** How Kafka cleans a topic up. */
    public enum Cleanup {
        DELETE,
        COMPACT
    }

    private final String baseName;
    private final String key;
    private final int partitions;
    private final Cleanup cleanup;
    private final Duration retention;

    Topic(String baseName, String key, int partitions, Cleanup cleanup, Duration retention) {
        this.baseName = baseName;
        this.key = key;
        this.partitions = partitions;
        this.cleanup = cleanup;
        this.retention = retention;
    }

    /** The topic's name in Kafka; {@code prefix} keeps several installations apart in one cluster and may be empty. */
    public String name(String prefix) {
        return prefix + baseName;
    }

    /** What a record's Kafka key says, in UTF-8. */
    public String key() {
        return key;
    }

    public int partitions() {
        return partitions;
    }

    /** Whether its records carry a signature where keys are configured: what decides what workers serve, what the job does, and what it is believed to have done. */
    public boolean isSigned() {
        return this == SNAPSHOTS || this == CONTROL || this == EVENTS;
    }

    /** Whether it may have more partitions than it is made with: where there is one, its records are one sequence. */
    public boolean mayHaveMorePartitions() {
        return partitions > 1;
    }

    /**
     * Kafka topic settings. What producers compress is stored uncompressed: so the brokers hold the largest record against what readers have to
     * allocate, not against what came over the wire.
     */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (cleanup == Cleanup.COMPACT) {
            settings.put("cleanup.policy", "compact");
            settings.put("segment.ms", Long.toString(COMPACTED_SEGMENT_MILLIS));
        } else {
            settings.put("cleanup.policy", "delete");
            settings.put("retention.ms", retention == null ? "-1" : Long.toString(retention.toMillis()));
        }
        if (this == ADMITTED) {
            settings.put("segment.ms", Long.toString(retention.toMillis()));
        }
        settings.put("message.timestamp.type", "LogAppendTime");
        settings.put("max.message.bytes", Integer.toString(RECORD_BYTES_MAX));
        settings.put("compression.type", "uncompressed");
        return settings;
    }

    /** What is not compacted yet is read whole by each worker that starts: the open segment, which by Kafka's default grows for a week. */
    private static final long COMPACTED_SEGMENT_MILLIS = Duration.ofMinutes(10).toMillis();

    /** Largest record on any topic. */
    public static final int RECORD_BYTES_MAX = 8 << 20;
}
