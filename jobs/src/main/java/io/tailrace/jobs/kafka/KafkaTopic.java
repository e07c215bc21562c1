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

/** What the brokers say of one topic, asked each time. */
public final class KafkaTopic implements ReadTopic, FirstOffsets {
    private static final long serialVersionUID = 1L;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Properties properties;
    private final String topic;

    /**
     * A topic.
     *
     * @param clientProperties with the brokers
     * @param topic its full name
     */
    public KafkaTopic(Properties clientProperties, String topic) {
        this.properties = clientProperties;
        this.topic = topic;
    }

    /** What is asked. */
    private interface Question<T> {
        T ask(Admin admin) throws IOException, InterruptedException;
    }

    /** The cluster's id and the topic's. */
    @Override
    public String now() throws IOException {
        return asked(admin -> answer(admin.describeCluster().clusterId()) + "/"
                + described(admin).topicId());
    }

    @Override
    public int partitions() throws IOException {
        return asked(admin -> described(admin).partitions().size());
    }

    @Override
    public long of(int partition) throws IOException {
        return asked(admin -> offset(admin, partition, OffsetSpec.earliest()));
    }

    /** The end is asked for first: what comes in between is read. */
    @Override
    public long since(int partition, long millis) throws IOException {
        return asked(admin -> {
            long end = offset(admin, partition, OffsetSpec.latest());
            long first = offset(admin, partition, OffsetSpec.forTimestamp(millis));
            return first < 0 ? end : first;
        });
    }

    private long offset(Admin admin, int partition, OffsetSpec which) throws IOException, InterruptedException {
        TopicPartition asked = new TopicPartition(topic, partition);
        return answer(admin.listOffsets(Map.of(asked, which)).partitionResult(asked))
                .offset();
    }

    private TopicDescription described(Admin admin) throws IOException, InterruptedException {
        return answer(admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
    }

    private <T> T answer(KafkaFuture<T> future) throws IOException, InterruptedException {
        try {
            return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable why = e instanceof ExecutionException ? e.getCause() : e;
            throw new IOException("cannot ask about topic %s: %s".formatted(topic, why), why);
        }
    }

    private <T> T asked(Question<T> question) throws IOException {
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
