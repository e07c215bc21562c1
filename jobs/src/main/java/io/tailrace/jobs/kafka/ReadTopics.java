package io.tailrace.jobs.kafka;

import io.tailrace.operators.admission.TopicIdentity;
import java.io.IOException;

/** The topics that a source reads, by their full names. */
interface ReadTopics extends TopicIdentity {
    /** How many partitions one has. */
    int partitions(String topic) throws IOException;

    /** The first offset whose record is no older, by the brokers' time in epoch milliseconds; where all are older, the end. */
    long since(String topic, int partition, long millis) throws IOException;
}
