package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.schemas.WorkerStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class FollowingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LANES = 20;

    @TempDir
    Path folder;

    private final AtomicInteger polls = new AtomicInteger();
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch brokersAnswer = new CountDownLatch(1);
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest") {
        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            polls.incrementAndGet();
            return super.poll(timeout);
        }
    };
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final List<WorkerStatus> told = new CopyOnWriteArrayList<>();
    private ServedLanes lanes;

    @BeforeEach
    void serve() {
        lanes = new ServedLanes(Manifests.MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")), 0);
        for (int i = 0; i < LANES; i++) {
            lanes.ofRequest("s" + i).used();
        }
        topicExists("snapshots");
        topicExists("control");
    }

    @Test
    void aStatusThatIsNotTakenHoldsUpNoFollowing() throws Exception {
        try (Following following = new Following("w", "c", lanes, brokers(), this::tell)) {
            following.start();
            blocked.await();
            int before = polls.get();
            Awaitility.await().atMost(PATIENCE).until(() -> following.caughtUp() && polls.get() > before + 10);
            assertThat(told).isEmpty();
            brokersAnswer.countDown();
        }
        assertThat(told).as("each lane's first and last").hasSizeGreaterThanOrEqualTo(2 * LANES);
    }

    @Test
    void aStatusThatIsNotTakenHoldsUpNoClose() throws Exception {
        StatusThread thread = new StatusThread("statuses", lanes, new StatusTicker("w", "c", this::tell), 1);
        thread.start();
        blocked.await();
        thread.close();
        interrupted.await();
        assertThat(told).isEmpty();
    }

    /** As a producer does that knows no broker. */
    private void tell(WorkerStatus status) {
        blocked.countDown();
        try {
            brokersAnswer.await();
            told.add(status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            interrupted.countDown();
        }
    }

    private void topicExists(String topic) {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.updateEndOffsets(Map.of(partition, 0L));
        consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, node, nodes, nodes)));
    }

    private Brokers brokers() {
        return new Brokers() {
            @Override
            public Consumer<byte[], byte[]> newConsumer(String clientId) {
                return consumer;
            }

            @Override
            public Producer<byte[], byte[]> newProducer(String clientId) {
                throw new UnsupportedOperationException("it follows only");
            }

            @Override
            public String topicPrefix() {
                return "";
            }

            @Override
            public Optional<String> unreachable() {
                return Optional.empty();
            }
        };
    }
}
