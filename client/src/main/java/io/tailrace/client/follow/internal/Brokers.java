package io.tailrace.client.follow.internal;

import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** The brokers of a fleet, for whoever follows and reports. Safe for any number of threads. */
public interface Brokers {
    /** A consumer of committed records, in no group. */
    Consumer<byte[], byte[]> newConsumer(String clientId);

    /** An idempotent producer. */
    Producer<byte[], byte[]> newProducer(String clientId);

    /** Before every topic's name; may be empty. */
    String topicPrefix();

    /** Why none of them answers, with their addresses, found out within seconds; empty: one does. */
    Optional<String> unreachable();
}
