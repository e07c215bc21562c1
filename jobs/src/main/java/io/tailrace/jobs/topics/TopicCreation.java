package io.tailrace.jobs.topics;

import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates every topic of the loop, with the partitions and clean-up that it needs. */
public final class TopicCreation {
    /** Leaves the number of replicas to the brokers. */
    public static final short REPLICATION_OF_BROKER = -1;

    private static final int CALL_MILLIS_MAX = 30_000;

    private TopicCreation() {}

    /**
     * What became of a topic.
     *
     * @param name in Kafka
     * @param created false: it was there already, and was left as it is
     */
    public record Result(Topic topic, String name, boolean created) {}

    /**
     * Creates what is missing.
     *
     * @param clientSettings Kafka client settings with {@code bootstrap.servers}
     * @param prefix stands before every topic's name
     * @param replicationFactor replicas of each partition, or {@link #REPLICATION_OF_BROKER}
     * @throws IOException if the brokers cannot be reached or refuse
     */
    public static List<Result> create(Map<String, ?> clientSettings, String prefix, short replicationFactor)
            throws IOException {
        Map<String, Object> settings = new HashMap<>();
        settings.put("default.api.timeout.ms", CALL_MILLIS_MAX);
        settings.put("request.timeout.ms", CALL_MILLIS_MAX / 2);
        settings.putAll(clientSettings);
        try (Admin admin = Admin.create(settings)) {
            List<NewTopic> wanted = new ArrayList<>();
            for (Topic topic : Topic.values()) {
                wanted.add(new NewTopic(topic.name(prefix), topic.partitions(), replicationFactor)
                        .configs(topic.settings()));
            }
            Map<String, KafkaFuture<Void>> creations =
                    admin.createTopics(wanted).values();
            List<Result> results = new ArrayList<>();
            for (Topic topic : Topic.values()) {
                String name = topic.name(prefix);
                results.add(new Result(topic, name, created(name, creations.get(name))));
            }
            return results;
        }
    }

    private static boolean created(String name, KafkaFuture<Void> creation) throws IOException {
        try {
            creation.get(CALL_MILLIS_MAX, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return false;
            }
            throw new IOException(
                    "topic " + name + " was not created: " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("topic " + name + " was not created in time; are the brokers reachable?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while creating topic " + name, e);
        }
    }
}
