package io.tailrace.jobs.topics;

/**
 * What became of one topic.
 *
 * @param name in Kafka, prefix included
 * @param detail for DIFFERS: what differs, expected and got; else empty
 */
public record TopicReport(String name, Status status, String detail) {
    /** What a topic was found to be. */
    public enum Status {
        /** It was missing and has been created. */
        CREATED,
        /** It was there, as it should be. */
        EXISTED,
        /** It was there, with other partitions or settings, and was left alone. */
        DIFFERS
    }
}
