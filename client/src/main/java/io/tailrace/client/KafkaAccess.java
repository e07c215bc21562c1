package io.tailrace.client;

import io.tailrace.client.follow.internal.Brokers;
import io.tailrace.schemas.Topic;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How to reach Kafka.
 *
 * @param bootstrap host:port, several separated by commas
 * @param topicPrefix before every topic's name; may be empty
 * @param clientProperties passed on to every client: TLS, SASL, sizes; what Tailrace's promises rest on cannot be overridden
 */
public record KafkaAccess(String bootstrap, String topicPrefix, Map<String, String> clientProperties) {
    public KafkaAccess {
        if (bootstrap == null || bootstrap.isBlank()) {
            throw new IllegalArgumentException("bootstrap must name at least one host:port");
        }
        if (topicPrefix == null) {
            throw new IllegalArgumentException("topicPrefix must not be null; it may be empty");
        }
        clientProperties = Map.copyOf(clientProperties);
    }

    public static KafkaAccess of(String bootstrap) {
        return new KafkaAccess(bootstrap, "", Map.of());
    }

    /**
     * Why no broker answers, with their addresses; empty: one does. Nobody who listens is found out within 2 s; somebody who does not answer
     * within 5, or {@code default.api.timeout.ms} where it is set.
     */
    public Optional<String> unreachable() {
        return new BrokerLook(this).unreachable();
    }

    /**
     * Refuses to go on without brokers.
     *
     * @throws UnreachableBrokersException if none answers
     */
    public void requireReachable() {
        unreachable().ifPresent(why -> {
            throw new UnreachableBrokersException(why);
        });
    }

    /** The brokers that are reached so. */
    Brokers brokers() {
        return new Reached(this);
    }

    Map<String, Object> consumerProperties(String clientId) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Topic.RECORD_BYTES_MAX);
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
        properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        properties.putAll(clientProperties);
        properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return properties;
    }

    Map<String, Object> producerProperties(String clientId) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topic.RECORD_BYTES_MAX);
        properties.putAll(clientProperties);
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        return properties;
    }

    private record Reached(KafkaAccess access) implements Brokers {
        @Override
        public Consumer<byte[], byte[]> newConsumer(String clientId) {
            return made(() -> new KafkaConsumer<>(
                    access.consumerProperties(clientId), new ByteArrayDeserializer(), new ByteArrayDeserializer()));
        }

        @Override
        public Producer<byte[], byte[]> newProducer(String clientId) {
            return made(() -> new KafkaProducer<>(
                    access.producerProperties(clientId), new ByteArraySerializer(), new ByteArraySerializer()));
        }

        /** What is wrong is said by the cause: a name that does not resolve, a wrong property. */
        private <T> T made(Supplier<T> client) {
            try {
                return client.get();
            } catch (KafkaException e) {
                Throwable why = e.getCause() == null ? e : e.getCause();
                throw new KafkaException(
                        "brokers %s: %s; correct --bootstrap or the client's properties"
                                .formatted(access.bootstrap(), why.getMessage()),
                        e);
            }
        }

        @Override
        public String topicPrefix() {
            return access.topicPrefix();
        }

        @Override
        public Optional<String> unreachable() {
            return access.unreachable();
        }
    }
}
