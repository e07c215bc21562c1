package io.tailrace.jobs.kafka;

import io.tailrace.operators.admission.TopicIdentity;
import java.io.IOException;

/** The topic that a source reads. */
interface ReadTopic extends TopicIdentity {
    /** How many partitions it has. */
    int partitions() throws IOException;

    /** The first offset whose record is no older, by the brokers' time in epoch milliseconds; where all are older, the end. */
    long since(int partition, long millis) throws IOException;
}
