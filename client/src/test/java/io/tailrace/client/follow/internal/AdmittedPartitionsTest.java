package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.MODEL;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.TokenIds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lives of a follower while lanes come and topic admitted grows: it hears what one would hear that reads all partitions and leaves out other lanes' answers,
 * and reads no partition that none of its lanes has ever belonged to.
 */
class AdmittedPartitionsTest {
    private static final String TOPIC = "admitted";
    private static final long START = 1_000_000;
    private static final int LIVES = 500;
    private static final int STEPS = 120;
    private static final int SCOPES = 10;
    private static final int PARTITIONS_MAX = 64;

    @TempDir
    Path folder;

    @Test
    void aFollowerHearsOfItsLanesWhatOneHearsThatReadsEverything() throws IOException {
        int read = 0;
        int all = 0;
        for (long seed = 0; seed < LIVES; seed++) {
            Life life = new Life(seed);
            life.live();
            read += life.read;
            all += life.partitions;
        }
        assertThat(read).isLessThan(all);
    }

    /** With the job's producer, which hears of new partitions at another time than the follower. */
    private final class Life {
        private final long seed;
        private final Random random;
        private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        private final List<List<ConsumerRecord<byte[], byte[]>>> written = new ArrayList<>();
        private final Map<TopicPartition, Integer> handed = new HashMap<>();
        private final Map<LaneId, Long> expected = new HashMap<>();
        private final Set<Integer> counts = new HashSet<>();
        private final ServedLanes lanes;
        private final SnapshotFollower follower;
        private int partitions;
        private int producers;
        private long now = START;
        private int requests;
        private int read;

        Life(long seed) throws IOException {
            this.seed = seed;
            random = new Random(seed * 7_919);
            FollowOptions options = FollowOptions.of(folder.toUri(), folder.resolve("cache"));
            lanes = new ServedLanes(MODEL, options, START);
            SnapshotLoader loader = SnapshotLoader.create(
                    MODEL, SegmentStore.at(options.store()), options.cacheFolder(), options.cacheBytesMax());
            follower = new SnapshotFollower(() -> consumer, "", lanes, loader, options, Runnable::run, () -> now);
            announce("snapshots", 1);
            announce("control", 1);
            grow(1 + random.nextInt(6));
            producers = partitions;
        }

        void live() {
            lane();
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(12)) {
                    case 0 -> lane();
                    case 1 -> growth();
                    case 2 -> producers = partitions;
                    case 3 -> now += random.nextInt((int) AdmittedTail.LOOK_MILLIS);
                    case 4, 5, 6 -> poll();
                    default -> write();
                }
            }
            look();
            for (ServedLane lane : lanes.all()) {
                assertThat(lane.state(now).freshTokens())
                        .as("seed %d, %s", seed, lane.lane())
                        .isEqualTo(expected.get(lane.lane()));
            }
            assertThat(follower.skippedRecords()).isZero();
            assertThat(partitionsOfLanes()).as("seed %d", seed).containsAll(readPartitions());
            read = readPartitions().size();
            follower.close();
        }

        private void lane() {
            look();
            LaneId lane = scope();
            lanes.ofRequest(lane.scope());
            expected.putIfAbsent(lane, 0L);
        }

        private LaneId scope() {
            return MODEL.lane("scope-" + random.nextInt(SCOPES));
        }

        /** After one that the follower knows; to a multiple at any time, else the producer goes on as before until the follower has looked. */
        private void growth() {
            look();
            int times = 2 + random.nextInt(2);
            if (random.nextBoolean() && times * partitions <= PARTITIONS_MAX) {
                grow(times * partitions);
            } else if (producers == partitions && partitions < PARTITIONS_MAX) {
                grow(partitions + 1 + random.nextInt(3));
                look();
            }
        }

        private void grow(int to) {
            partitions = to;
            counts.add(to);
            announce(TOPIC, to);
            while (written.size() < to) {
                written.add(new ArrayList<>());
            }
        }

        private void announce(String topic, int count) {
            Node node = new Node(0, "localhost", 1);
            Node[] nodes = {node};
            consumer.updatePartitions(
                    topic,
                    IntStream.range(0, count)
                            .mapToObj(partition -> new PartitionInfo(topic, partition, node, nodes, nodes))
                            .toList());
            for (int partition = 0; partition < count; partition++) {
                consumer.updateBeginningOffsets(Map.of(new TopicPartition(topic, partition), 0L));
                consumer.updateEndOffsets(Map.of(new TopicPartition(topic, partition), 0L));
            }
        }

        private void write() {
            LaneId lane = scope();
            RequestHash request = RequestHash.of("request-" + requests++);
            int[] tokens = random.ints(1 + random.nextInt(20), 0, 10).toArray();
            AdmittedAnswer answer = new AdmittedAnswer(
                    lane.toLane(),
                    request.high(),
                    request.low(),
                    List.of(),
                    ByteBuffer.allocate(0),
                    TokenIds.toList(tokens),
                    Instant.ofEpochMilli(START));
            byte[] key = key(lane);
            int partition = BuiltInPartitioner.partitionForKey(key, producers);
            List<ConsumerRecord<byte[], byte[]>> log = written.get(partition);
            byte[] value = RecordCodec.ADMITTED_ANSWER.encode(answer);
            log.add(new ConsumerRecord<>(TOPIC, partition, log.size(), key, value));
            expected.computeIfPresent(lane, (known, heard) -> heard + tokens.length);
        }

        private static byte[] key(LaneId lane) {
            return lane.toString().getBytes(StandardCharsets.UTF_8);
        }

        /** Hears of all partitions, and reads to their ends. */
        private void look() {
            now += AdmittedTail.LOOK_MILLIS;
            poll();
            poll();
        }

        private void poll() {
            for (int partition = 0; partition < partitions; partition++) {
                List<ConsumerRecord<byte[], byte[]>> log = written.get(partition);
                TopicPartition topicPartition = new TopicPartition(TOPIC, partition);
                consumer.updateEndOffsets(Map.of(topicPartition, (long) log.size()));
                if (consumer.assignment().contains(topicPartition)) {
                    log.subList(handed.getOrDefault(topicPartition, 0), log.size())
                            .forEach(consumer::addRecord);
                    handed.put(topicPartition, log.size());
                }
            }
            follower.poll();
        }

        private List<Integer> readPartitions() {
            return consumer.assignment().stream()
                    .filter(partition -> partition.topic().equals(TOPIC))
                    .map(TopicPartition::partition)
                    .toList();
        }

        private Set<Integer> partitionsOfLanes() {
            Set<Integer> those = new HashSet<>();
            for (LaneId lane : expected.keySet()) {
                counts.forEach(count -> those.add(BuiltInPartitioner.partitionForKey(key(lane), count)));
            }
            return those;
        }
    }
}
