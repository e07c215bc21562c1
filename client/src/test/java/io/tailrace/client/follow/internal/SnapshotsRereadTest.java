package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.MODEL;
import static io.tailrace.client.follow.internal.Manifests.manifest;
import static io.tailrace.client.follow.internal.SnapshotsReread.EVERY_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker does about withdrawals that it cannot hear of any more. */
class SnapshotsRereadTest {
    private static final int LIVES = 300;
    private static final LaneId OTHER = MODEL.lane("t");

    @TempDir
    Path folder;

    private FollowerBench bench;
    private SimulatedTopic topic;

    /** Topic snapshots with Kafka's compaction, which the test does when it likes; the newest record always stays, as that of the open segment. */
    private static final class SimulatedTopic {
        private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        private long end;

        void announce(LaneId lane, long version) {
            SnapshotManifest manifest = manifest(version);
            manifest.setLane(lane.toLane());
            put(lane + "#" + version, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
        }

        void withdraw(LaneId lane, long version) {
            put(lane + "#" + version, null);
        }

        void put(String key, byte[] value) {
            records.add(new ConsumerRecord<>("p-snapshots", 0, end++, key.getBytes(StandardCharsets.UTF_8), value));
        }

        /** So long after that withdrawals go as well. */
        void compact() {
            Map<String, Long> last = new HashMap<>();
            records.forEach(record -> last.put(key(record), record.offset()));
            records.removeIf(record ->
                    record.offset() < end - 1 && (record.value() == null || last.get(key(record)) > record.offset()));
        }

        /** The versions of a lane that are announced and not withdrawn. */
        Set<Long> versions(LaneId lane) {
            Set<Long> versions = new HashSet<>();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                if (key(record).startsWith(lane + "#")) {
                    long version = Long.parseLong(key(record).substring((lane + "#").length()));
                    if (record.value() == null) {
                        versions.remove(version);
                    } else {
                        versions.add(version);
                    }
                }
            }
            return versions;
        }

        private static String key(ConsumerRecord<byte[], byte[]> record) {
            return new String(record.key(), StandardCharsets.UTF_8);
        }
    }

    @BeforeEach
    void open() throws IOException {
        begin("one");
    }

    private void begin(String name) throws IOException {
        bench = new FollowerBench(
                Files.createDirectories(folder.resolve(name + "-store")), folder.resolve(name + "-cache"));
        topic = new SimulatedTopic();
        bench.poll();
    }

    /** Whatever the topic holds at or behind the follower's place comes. */
    private void read() {
        bench.topicHolds(
                topic.records.stream()
                        .filter(record -> record.offset() >= bench.position())
                        .toList(),
                0);
        bench.follower().poll();
    }

    /** Long enough for a reread to be due, begun and done. */
    private void anHourPasses() {
        bench.advance(EVERY_MILLIS);
        bench.follower().poll();
        read();
        bench.follower().poll();
    }

    private Set<Long> versions(LaneId lane) {
        return bench.lanes().ofRequest(lane.scope()).versions();
    }

    @Test
    void aVersionWhoseWithdrawalIsGoneAsWellIsLeft() {
        topic.announce(LANE, 10);
        topic.announce(LANE, 20);
        read();
        assertThat(bench.live()).isEqualTo(20);
        topic.withdraw(LANE, 20);
        topic.announce(OTHER, 7);
        topic.compact();
        read();
        assertThat(bench.live()).as("nothing says so any more").isEqualTo(20);
        anHourPasses();
        assertThat(bench.live()).isEqualTo(10);
        assertThat(versions(LANE)).containsExactly(10L);
    }

    @Test
    void whatIsReadAgainIsNotTakenUpAgain() {
        topic.announce(LANE, 10);
        topic.put("junk", new byte[] {1});
        topic.announce(LANE, 20);
        read();
        long loads = bench.state().loads();
        anHourPasses();
        assertThat(bench.live()).isEqualTo(20);
        assertThat(bench.state().loads()).isEqualTo(loads);
        assertThat(bench.follower().skippedRecords()).as("counted once").isEqualTo(1);
        topic.announce(LANE, 30);
        read();
        assertThat(bench.live()).isEqualTo(30);
    }

    /** Else a clock that is wrong for a moment would have a worker serve nothing. */
    @Test
    void aVersionIsThereWhateverItsReaderWouldThinkOfItNow() {
        topic.announce(LANE, FollowerBench.START);
        read();
        bench.advance(-EVERY_MILLIS);
        bench.follower().poll();
        read();
        bench.follower().poll();
        assertThat(bench.live()).isEqualTo(FollowerBench.START);
    }

    @Test
    void aTopicThatWasEmptiedWithdrawsNothing() {
        topic.announce(LANE, 10);
        read();
        bench.topicHolds(List.of(), topic.end);
        bench.advance(EVERY_MILLIS);
        bench.follower().poll();
        bench.follower().poll();
        assertThat(bench.live()).isEqualTo(10);
    }

    @Test
    void whileNoBrokerAnswersItIsTriedAgain() {
        topic.announce(LANE, 10);
        topic.announce(LANE, 20);
        read();
        topic.withdraw(LANE, 20);
        topic.announce(OTHER, 7);
        topic.compact();
        bench.advance(EVERY_MILLIS);
        bench.loseBrokers();
        read();
        assertThat(bench.live()).isEqualTo(20);
        bench.follower().poll();
        bench.advance(SnapshotsReread.RETRY_MILLIS);
        bench.follower().poll();
        read();
        bench.follower().poll();
        assertThat(bench.live()).isEqualTo(10);
    }

    /** Against the topic itself: however long the worker is away while versions come and go, an hour later it knows those that stand there. */
    @Test
    void anHourLaterAWorkerKnowsWhatStandsOnTheTopic() throws IOException {
        int missed = 0;
        for (int seed = 0; seed < LIVES; seed++) {
            begin("life-" + seed);
            Random random = new Random(seed);
            List<Long> announced = new ArrayList<>();
            for (int step = 0; step < 25; step++) {
                LaneId lane = random.nextInt(3) == 0 ? OTHER : LANE;
                switch (random.nextInt(6)) {
                    case 0, 1, 2 -> {
                        announced.add(step + 1L);
                        topic.announce(lane, step + 1L);
                    }
                    case 3 -> {
                        if (!announced.isEmpty()) {
                            topic.withdraw(lane, announced.get(random.nextInt(announced.size())));
                        }
                    }
                    case 4 -> topic.compact();
                    default -> read();
                }
            }
            topic.announce(OTHER, 100);
            read();
            Set<Long> stale = new HashSet<>(versions(LANE));
            stale.removeAll(topic.versions(LANE));
            missed += stale.size();
            anHourPasses();
            for (LaneId lane : List.of(LANE, OTHER)) {
                assertThat(versions(lane)).as("seed %d, lane %s", seed, lane).isEqualTo(topic.versions(lane));
            }
            assertThat(bench.live())
                    .isEqualTo(topic.versions(LANE).stream()
                            .mapToLong(Long::longValue)
                            .max()
                            .orElse(0));
        }
        assertThat(missed).as("withdrawals that were missed").isPositive();
    }
}
