package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class FollowerThreadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final AtomicInteger asked = new AtomicInteger();
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest") {
        @Override
        public List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
            asked.incrementAndGet();
            return super.partitionsFor(topic, timeout);
        }
    };
    private ServedLanes lanes;
    private SnapshotFollower follower;
    private FollowerThread thread;

    @BeforeEach
    void follow() throws IOException {
        FollowOptions options = FollowOptions.of(folder.toUri(), folder.resolve("cache"));
        lanes = new ServedLanes(Manifests.MODEL, options, 0);
        follower = new SnapshotFollower(
                () -> consumer,
                "",
                lanes,
                SnapshotLoader.create(
                        Manifests.MODEL, SegmentStore.at(options.store()), options.cacheFolder(), 1L << 30),
                options,
                Runnable::run,
                () -> 0);
        thread = new FollowerThread("follower", follower, Optional::empty);
    }

    @AfterEach
    void close() {
        thread.close();
    }

    @Test
    void brokerThatIsAwayIsTriedAgain() {
        topicsExist();
        consumer.setPollException(new KafkaException("broker away"));
        thread.start();
        Awaitility.await().atMost(PATIENCE).until(follower::caughtUp);
        assertThat(thread.alive()).isTrue();
        assertThat(thread.failure()).isNull();
    }

    @Test
    void brokersThatDoNotAnswerAreLookedFor() {
        AtomicInteger looks = new AtomicInteger();
        thread = new FollowerThread("follower", follower, () -> {
            looks.incrementAndGet();
            return Optional.of("no broker at here:1");
        });
        topicsExist();
        consumer.setPollException(new TimeoutException("time is over"));
        thread.start();
        Awaitility.await().atMost(PATIENCE).until(follower::caughtUp);
        assertThat(looks).hasValue(1);
    }

    @Test
    void topicThatIsMissingIsTriedAgain() {
        thread.start();
        Awaitility.await().atMost(PATIENCE).until(() -> asked.get() > 0);
        assertThat(thread.alive()).isTrue();
        topicsExist();
        Awaitility.await().atMost(PATIENCE).until(follower::caughtUp);
    }

    @Test
    void stoppedThreadClosesItsConsumer() {
        topicsExist();
        thread.start();
        Awaitility.await().atMost(PATIENCE).until(follower::caughtUp);
        thread.close();
        assertThat(consumer.closed()).isTrue();
        assertThat(thread.alive()).isFalse();
    }

    /** It has no consumer yet. */
    @Test
    void threadThatWasNeverStartedClosesItsLanesToo() {
        LiveSnapshot live = serve(7);
        thread.close();
        assertThat(live.version()).isZero();
    }

    @Test
    void bugIsTriedAgainAndWhatIsServedStays() {
        topicsExist();
        LiveSnapshot live = serve(7);
        consumer.schedulePollTask(() -> {
            throw new NullPointerException("a bug");
        });
        thread.start();
        Awaitility.await().atMost(PATIENCE).until(follower::caughtUp);
        assertThat(thread.failure()).isNull();
        assertThat(thread.alive()).isTrue();
        assertThat(live.version()).isEqualTo(7);
    }

    @Test
    void errorEndsTheThreadAndWhatIsServedStaysUntilTheClose() {
        topicsExist();
        LiveSnapshot live = serve(7);
        consumer.schedulePollTask(() -> {
            throw new AssertionError("an error");
        });
        thread.start();
        Awaitility.await().atMost(PATIENCE).until(() -> !thread.alive());
        assertThat(thread.failure()).hasMessage("an error");
        assertThat(live.version()).isEqualTo(7);
        thread.close();
        assertThat(live.version()).isZero();
        assertThat(consumer.closed()).isTrue();
    }

    private LiveSnapshot serve(long version) {
        ServedLane lane = lanes.ofRequest("s");
        lane.serve(new LoadedSnapshot(version, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}), 0);
        return lane.live();
    }

    private void topicsExist() {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        for (String topic : List.of("snapshots", "control")) {
            consumer.updateBeginningOffsets(Map.of(new TopicPartition(topic, 0), 0L));
            consumer.updateEndOffsets(Map.of(new TopicPartition(topic, 0), 0L));
            consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, node, nodes, nodes)));
        }
    }
}
