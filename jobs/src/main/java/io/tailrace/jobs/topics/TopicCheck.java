package io.tailrace.jobs.topics;

import io.tailrace.jobs.options.KafkaArguments;
import io.tailrace.operators.control.RequiredTopics;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Whether a job's topics are there and Kafka keeps what is in them. Brokers may make a topic that somebody asks for, with settings of their own: what is to
 * be compacted, or kept for ever, goes after a week then. Asks for nothing that the job has no right to: where it may not see a topic's settings, it is
 * enough that there is one.
 */
public final class TopicCheck implements RequiredTopics {
    private static final long serialVersionUID = 1L;
    private static final long PATIENCE_SECONDS = 30;
    private static final String CLEANUP = "cleanup.policy";
    private static final String RETENTION = "retention.ms";
    private static final String FOR_EVER = "-1";

    private final Properties properties;
    private final LinkedHashMap<String, Topic> topics = new LinkedHashMap<>();

    /** Of a job with these arguments. */
    public TopicCheck(KafkaArguments kafka) {
        this.properties = kafka.clientProperties();
        for (Topic topic : Topic.values()) {
            topics.put(kafka.topic(topic), topic);
        }
        for (Topic reported : List.of(Topic.GENERATIONS, Topic.OUTCOMES)) {
            kafka.boundTopics(reported).names().forEach(name -> topics.put(name, reported));
        }
    }

    @Override
    public Optional<String> trouble() throws IOException {
        Map<String, Object> asking = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> asking.put(name, properties.getProperty(name)));
        try (Admin admin = Admin.create(asking)) {
            return trouble(admin, topics);
        } catch (KafkaException e) {
            throw new IOException("cannot ask about topics: " + e.getMessage(), e);
        }
    }

    static Optional<String> trouble(Admin admin, Map<String, Topic> topics) throws IOException {
        List<String> troubles = new ArrayList<>();
        Map<String, ? extends KafkaFuture<?>> described =
                admin.describeTopics(topics.keySet()).topicNameValues();
        Map<ConfigResource, KafkaFuture<Config>> configs = admin.describeConfigs(
                        topics.keySet().stream().map(TopicCheck::resource).toList())
                .values();
        for (Map.Entry<String, Topic> topic : topics.entrySet()) {
            String name = topic.getKey();
            if (exists(described.get(name))) {
                seen(configs.get(resource(name)))
                        .ifPresent(config -> compare(name, topic.getValue(), config, troubles));
            } else {
                troubles.add("there is no topic " + name);
            }
        }
        return troubles.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        String.join("; ", troubles)
                                + "; delete a topic that Kafka has made by itself and make it by 'tailrace topics create', before anything writes to it");
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    /** One that may not be seen is there for all that is known. */
    private static boolean exists(KafkaFuture<?> described) throws IOException {
        try {
            get(described);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            requireRefused(e);
            return true;
        }
    }

    private static Optional<Config> seen(KafkaFuture<Config> asked) throws IOException {
        try {
            return Optional.of(get(asked));
        } catch (ExecutionException e) {
            requireRefused(e);
            return Optional.empty();
        }
    }

    private static void requireRefused(ExecutionException e) throws IOException {
        if (!(e.getCause() instanceof AuthorizationException)) {
            throw new IOException("cannot ask about topics: " + e.getCause().getMessage(), e.getCause());
        }
    }

    private static void compare(String name, Topic topic, Config config, List<String> troubles) {
        topic.settings().forEach((key, expected) -> {
            if (key.equals(CLEANUP) || (key.equals(RETENTION) && expected.equals(FOR_EVER))) {
                ConfigEntry entry = config.get(key);
                if (entry != null && !expected.equals(entry.value())) {
                    troubles.add("topic %s: %s must be %s, is %s".formatted(name, key, expected, entry.value()));
                }
            }
        });
    }

    private static <T> T get(KafkaFuture<T> future) throws IOException, ExecutionException {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(
                    "the brokers do not say which topics there are, for %d s".formatted(PATIENCE_SECONDS), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking about topics", e);
        }
    }
}
