package io.tailrace.jobs.kafka;

import io.tailrace.operators.admission.FirstOffsets;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** What the brokers say of topics, asked each time. */
public final class AskedTopics implements ReadTopics, FirstOffsets {
    private static final long serialVersionUID = 1L;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Properties properties;

    /**
     * The topics of some brokers, by their full names.
     *
     * @param clientProperties with the brokers
     */
    public AskedTopics(Properties clientProperties) {
        this.properties = clientProperties;
    }

    /** What is asked. */
    private interface Question<T> {
        T ask(Admin admin) throws IOException, InterruptedException;
    }

    /** The cluster's id and the topic's. */
    @Override
    public String now(String topic) throws IOException {
        return asked(
                topic,
                admin -> answer(topic, admin.describeCluster().clusterId()) + "/"
                        + described(admin, topic).topicId());
    }

    @Override
    public int partitions(String topic) throws IOException {
        return asked(topic, admin -> described(admin, topic).partitions().size());
    }

    @Override
    public long of(String topic, int partition) throws IOException {
        return asked(topic, admin -> offset(admin, topic, partition, OffsetSpec.earliest()));
    }

    /** The end is asked for first: what comes in between is read. */
    @Override
    public long since(String topic, int partition, long millis) throws IOException {
        return asked(topic, admin -> {
            long end = offset(admin, topic, partition, OffsetSpec.latest());
            long first = offset(admin, topic, partition, OffsetSpec.forTimestamp(millis));
            return first < 0 ? end : first;
        });
    }

    private static long offset(Admin admin, String topic, int partition, OffsetSpec which)
            throws IOException, InterruptedException {
        TopicPartition asked = new TopicPartition(topic, partition);
        return answer(topic, admin.listOffsets(Map.of(asked, which)).partitionResult(asked))
                .offset();
    }

    private static TopicDescription described(Admin admin, String topic) throws IOException, InterruptedException {
        return answer(
                topic, admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
    }

    private static <T> T answer(String topic, KafkaFuture<T> future) throws IOException, InterruptedException {
        try {
            return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable why = e instanceof ExecutionException ? e.getCause() : e;
            throw new IOException("cannot ask about topic %s: %s".formatted(topic, why), why);
        }
    }

    private <T> T asked(String topic, Question<T> question) throws IOException {
        Map<String, Object> asking = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> asking.put(name, properties.getProperty(name)));
        try (Admin admin = Admin.create(asking)) {
            return question.ask(admin);
        } catch (KafkaException e) {
            throw new IOException("cannot ask about topic %s: %s".formatted(topic, e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking about topic " + topic, e);
        }
    }
}
