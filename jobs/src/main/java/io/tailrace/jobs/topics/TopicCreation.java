package io.tailrace.jobs.topics;

import io.tailrace.schemas.ReportTopics;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates all topics; run again, it changes nothing. */
public final class TopicCreation {
    /** Replication factor: whatever the brokers' default is. */
    public static final short DEFAULT_REPLICATION = -1;

    private static final long PATIENCE_SECONDS = 60;

    private static final String IN_SYNC = "min.insync.replicas";
    private static final String IN_SYNC_MIN = "2";
    private static final int REPLICAS_FOR_TWO_IN_SYNC = 3;

    private final Admin admin;

    public TopicCreation(Admin admin) {
        this.admin = admin;
    }

    /**
     * Creates what is missing.
     *
     * @param prefix put before every topic's name; may be empty
     * @param replication of the topics created; {@link #DEFAULT_REPLICATION} leaves it to the brokers
     * @throws IOException if the brokers cannot be reached or refuse
     */
    public List<Report> run(String prefix, short replication) throws IOException {
        return run(prefix, replication, List.of());
    }

    /**
     * Creates what is missing.
     *
     * @param bound names of {@link ReportTopics} that are bound to scopes
     */
    public List<Report> run(String prefix, short replication, List<String> bound) throws IOException {
        List<Report> reports = new ArrayList<>();
        for (Topic topic : Topic.values()) {
            reports.add(ensure(topic, topic.name(prefix), replication));
        }
        for (String name : bound) {
            ReportTopics topics = ReportTopics.bound(prefix, name);
            reports.add(ensure(Topic.GENERATIONS, topics.generations(), replication));
            reports.add(ensure(Topic.OUTCOMES, topics.outcomes(), replication));
        }
        return reports;
    }

    private Report ensure(Topic topic, String name, short replication) throws IOException {
        NewTopic wanted =
                new NewTopic(name, Optional.of(topic.partitions()), replicas(replication)).configs(topic.settings());
        try {
            int replicas = get(
                    "create topic " + name, admin.createTopics(List.of(wanted)).replicationFactor(name));
            if (replicas >= REPLICAS_FOR_TWO_IN_SYNC) {
                requireTwoInSync(name);
            }
            return new Report(name, Report.Status.CREATED, "");
        } catch (IOException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return compare(topic, name, replication);
            }
            throw e;
        }
    }

    /** An acknowledged record outlives the loss of any one broker, where there are enough of them to go on without it. */
    private void requireTwoInSync(String name) throws IOException {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
        AlterConfigOp two = new AlterConfigOp(new ConfigEntry(IN_SYNC, IN_SYNC_MIN), AlterConfigOp.OpType.SET);
        get(
                "set %s of topic %s".formatted(IN_SYNC, name),
                admin.incrementalAlterConfigs(Map.of(topic, List.of(two))).all());
    }

    private static int fewestReplicas(List<TopicPartitionInfo> partitions) {
        return partitions.stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
    }

    private static Optional<Short> replicas(short replication) {
        return replication == DEFAULT_REPLICATION ? Optional.empty() : Optional.of(replication);
    }

    private Report compare(Topic topic, String name, short replication) throws IOException {
        List<TopicPartitionInfo> partitions = get(
                        "describe topic " + name,
                        admin.describeTopics(Set.of(name)).allTopicNames())
                .get(name)
                .partitions();
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
        Config config = get(
                        "describe the settings of topic " + name,
                        admin.describeConfigs(Set.of(resource)).all())
                .get(resource);
        TopicComparison comparison = new TopicComparison();
        comparison.partitions(topic, partitions.size());
        if (replication != DEFAULT_REPLICATION) {
            comparison.replicas(replication, fewestReplicas(partitions));
        }
        Map<String, String> settings = new LinkedHashMap<>(topic.settings());
        if (fewestReplicas(partitions) >= REPLICAS_FOR_TWO_IN_SYNC) {
            settings.put(IN_SYNC, IN_SYNC_MIN);
        }
        settings.forEach((key, expected) -> comparison.setting(key, expected, config.get(key)));
        return comparison.report(name);
    }

    private static <T> T get(String what, KafkaFuture<T> future) throws IOException {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException("cannot %s: %s".formatted(what, e.getCause().getMessage()), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException(
                    "cannot %s within %d s; are the brokers reachable?".formatted(what, PATIENCE_SECONDS), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while trying to " + what, e);
        }
    }

    /**
     * What became of one topic.
     *
     * @param name in Kafka, prefix included
     * @param detail for DIFFERS: what differs, expected and got; for EXISTED: what it has more of than it would be made with; else empty
     */
    public record Report(String name, Status status, String detail) {
        /** What a topic was found to be. */
        public enum Status {
            /** It was missing and has been created. */
            CREATED,
            /** It was there, as it should be or with more of what may be more. */
            EXISTED,
            /** It was there, with partitions or settings that break a promise, and was left alone. */
            DIFFERS
        }
    }
}
