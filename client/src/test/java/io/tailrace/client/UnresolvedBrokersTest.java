package io.tailrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.Brokers;
import io.tailrace.client.report.SpoolState;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.TokenIds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's clients cannot even be made while no broker's name resolves. Serving goes on, and so do they once one does. */
class UnresolvedBrokersTest implements Brokers {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final ServedModel MODEL = new ServedModel("llama", "1", 1_000, "sha256:0");

    @TempDir
    private Path folder;

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private volatile boolean resolves;

    @Test
    void aClientOpensReportsToItsSpoolAndCatchesUpOnceTheNameResolves() throws IOException {
        topicExists("snapshots");
        topicExists("control");
        topicExists("admitted");
        ClientOptions options = ClientOptions.alone(
                        "agent", MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")))
                .withReporting(ReportingOptions.of(KafkaAccess.of("nowhere:9092"), folder.resolve("spool")));
        try (TailraceClient client = TailraceClient.open(options, this)) {
            client.start();
            assertThat(client.lane("public").lane().scope()).isEqualTo("public");
            client.reporter().generation(generation());
            assertThat(client.reporter().spool().map(SpoolState::pendingRecords))
                    .hasValue(1L);
            assertThat(client.live()).isTrue();
            assertThat(client.caughtUp()).isFalse();
            resolves = true;
            await().atMost(SOON).until(client::caughtUp);
            await().atMost(SOON)
                    .until(() -> producer.history().stream()
                            .anyMatch(record -> record.topic().equals("generations")));
        }
        assertThat(consumer.closed()).isTrue();
        assertThat(producer.closed()).isTrue();
    }

    @Test
    void aClientThatNeverReachedOneCloses() throws IOException {
        ClientOptions options = ClientOptions.alone(
                        "agent", MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")))
                .withReporting(ReportingOptions.unspooled(KafkaAccess.of("nowhere:9092")));
        try (TailraceClient client = TailraceClient.open(options, this)) {
            client.start();
            client.reporter().generation(generation());
            assertThat(client.reporter().failures()).isPositive();
        }
    }

    private static Generation generation() {
        return Generation.newBuilder()
                .setRequestId("a")
                .setLane(new Lane("llama", "1", "public"))
                .setProducer("agent")
                .setResponse(TokenIds.toList(new int[] {1}))
                .setStartedAt(Instant.EPOCH)
                .setCompletedAt(Instant.EPOCH)
                .build();
    }

    private void topicExists(String topic) {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.updateEndOffsets(Map.of(partition, 0L));
        consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, node, nodes, nodes)));
    }

    @Override
    public Consumer<byte[], byte[]> newConsumer(String clientId) {
        return resolved(consumer);
    }

    @Override
    public Producer<byte[], byte[]> newProducer(String clientId) {
        return resolved(producer);
    }

    private <T> T resolved(T made) {
        if (!resolves) {
            throw new KafkaException("no resolvable bootstrap urls");
        }
        return made;
    }

    @Override
    public String topicPrefix() {
        return "";
    }

    @Override
    public Optional<String> unreachable() {
        return Optional.of("no such host");
    }
}
