package io.tailrace.worker.follow;

import static io.tailrace.worker.follow.Manifests.LANE;
import static io.tailrace.worker.follow.Manifests.MODEL;
import static io.tailrace.worker.follow.Manifests.control;
import static io.tailrace.worker.follow.Manifests.manifest;
import static io.tailrace.worker.follow.Manifests.manifestOf;
import static io.tailrace.worker.follow.Manifests.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFollowerTest {
    private static final TopicPartition SNAPSHOTS = new TopicPartition("p-snapshots", 0);
    private static final TopicPartition CONTROL = new TopicPartition("p-control", 0);
    private static final long START = 1_000_000;

    @TempDir
    Path store;

    @TempDir
    Path cache;

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final Deque<Runnable> loads = new ArrayDeque<>();
    private boolean loadsWait;
    private long now = START;
    private long nextOffset;
    private FollowedLanes lanes;
    private SnapshotFollower follower;

    @BeforeEach
    void follow() throws IOException {
        FollowOptions options =
                new FollowOptions(store.toUri(), cache, 1L << 30, 3, 10_000, 100_000, FreshFrom.FLEET, 0, 100, 1_000);
        lanes = new FollowedLanes(MODEL, options, START);
        SnapshotLoader loader = SnapshotLoader.create(MODEL, SegmentStore.at(store.toUri()), cache, 1L << 30);
        follower = new SnapshotFollower(consumer, "p-", lanes, loader, options, this::execute, () -> now);
        topicExists(SNAPSHOTS);
        topicExists(CONTROL);
    }

    @Test
    void loadsNothingBeforeTheTopicsAreRead() {
        consumer.updateEndOffsets(Map.of(SNAPSHOTS, 2L, CONTROL, 0L));
        consumer.schedulePollTask(() -> put(manifest(10)));
        follower.poll();
        assertThat(follower.caughtUp()).isFalse();
        assertThat(lane().live().version()).isZero();
        consumer.schedulePollTask(() -> put(manifest(20)));
        follower.poll();
        assertThat(follower.caughtUp()).isTrue();
        assertThat(lane().live().version()).as("the newest at once").isEqualTo(20);
        assertThat(lane().state(now).loads()).isEqualTo(1);
    }

    /** Which topic a broker answers for first is chance. */
    @Test
    void aPinHoldsItsVersionAlsoWhereManyCameAfterItAndSnapshotsAreReadFirst() {
        int many = VersionChoice.MANIFESTS_MAX + 10;
        consumer.updateEndOffsets(Map.of(SNAPSHOTS, (long) many, CONTROL, 1L));
        consumer.schedulePollTask(() -> {
            for (long version = 1; version <= many; version++) {
                put(manifest(version));
            }
        });
        follower.poll();
        command(control(Command.PIN, 1L, START));
        assertThat(follower.caughtUp()).isTrue();
        assertThat(lane().live().version()).isEqualTo(1);
    }

    @Test
    void announcedVersionGoesLiveAndItsFreshnessCounts() {
        poll();
        now = START + 5_000;
        poll(manifest(10, START - 1, START + 1_000, START + 3_000));
        LaneState state = lane().state(now);
        assertThat(state.loadedVersion()).isEqualTo(10);
        assertThat(state.freshnessSamples())
                .as("what was completed before the start is none")
                .isEqualTo(2);
        assertThat(state.freshnessP50Millis()).isBetween(2_000L, 2_020L);
        assertThat(state.freshnessP99Millis()).isBetween(4_000L, 4_040L);
        assertThat(state.refreshAgeMillis()).isZero();
    }

    @Test
    void versionsSkippedWhileOneLoadsCountWhenTheNewestIsLive() {
        poll();
        loadsWait = true;
        poll(manifest(10, START + 1));
        poll(manifest(20, START + 2));
        poll(manifest(30, START + 3));
        runWaitingLoads();
        poll();
        runWaitingLoads();
        assertThat(lane().live().version()).isEqualTo(30);
        assertThat(lane().state(now).loads()).as("20 was never loaded").isEqualTo(2);
        assertThat(lane().state(now).freshnessSamples()).isEqualTo(3);
    }

    @Test
    void ownGenerationsGoOnceTheLoadedSnapshotHoldsThem() {
        poll();
        lane().finished("a", new int[] {1, 2, 3}, START + 100);
        lane().finished("b", new int[] {4, 5, 6, 7}, START + 200);
        assertThat(lane().state(now).freshTokens()).isEqualTo(7);
        poll(manifest(10, START + 100));
        assertThat(lane().state(now).freshTokens()).isEqualTo(4);
        poll(manifest(20, START + 200));
        assertThat(lane().state(now).freshTokens()).isZero();
    }

    @Test
    void failedLoadChangesNothingAndIsTriedAgain() throws IOException {
        poll(manifest(10));
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        byte[] bytes = Files.readAllBytes(store.resolve(gone.getPath()));
        Files.delete(store.resolve(gone.getPath()));
        poll(manifestOf(20, gone));
        LaneState failed = lane().state(now + 50);
        assertThat(failed.loadedVersion()).isEqualTo(10);
        assertThat(failed.announcedVersion()).isEqualTo(20);
        assertThat(failed.failures()).isEqualTo(1);
        assertThat(failed.lastFailure()).contains("NoSuchFile");
        assertThat(failed.refreshAgeMillis()).isEqualTo(50);
        Files.write(store.resolve(gone.getPath()), bytes);
        poll();
        assertThat(lane().live().version())
                .as("not before the backoff has passed")
                .isEqualTo(10);
        now += 100;
        poll();
        assertThat(lane().live().version()).isEqualTo(20);
    }

    /** What was deleted must not be drafted from because a disk is full or a store is away. */
    @Test
    void aWithdrawnVersionIsNotDraftedFromWhileItsSuccessorFails() throws IOException {
        poll(manifest(10));
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        byte[] bytes = Files.readAllBytes(store.resolve(gone.getPath()));
        Files.delete(store.resolve(gone.getPath()));
        poll(manifestOf(20, gone));
        tombstone(LANE, 10);
        assertThat(lane().live().version()).as("its successor is on its way").isEqualTo(10);
        now += 100;
        poll();
        assertThat(lane().live().version()).isZero();
        Files.write(store.resolve(gone.getPath()), bytes);
        now += 1_000;
        poll();
        assertThat(lane().live().version()).isEqualTo(20);
    }

    @Test
    void aWithdrawnVersionIsNotDraftedFromForLongWhileItsSuccessorIsLoaded() throws IOException {
        poll(manifest(10));
        loadsWait = true;
        poll(manifestOf(20, segment(store, SegmentRole.NEWEST, 1, 2, 3)));
        tombstone(LANE, 10);
        now += FollowedLane.WITHDRAWN_MILLIS_MAX - 1;
        poll();
        assertThat(lane().live().version()).isEqualTo(10);
        now++;
        poll();
        assertThat(lane().live().version()).isZero();
        runWaitingLoads();
        assertThat(lane().live().version()).isEqualTo(20);
    }

    @Test
    void versionThatKeepsFailingIsTriedAgainAtTheLongestWait() throws IOException {
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        byte[] bytes = Files.readAllBytes(store.resolve(gone.getPath()));
        Files.delete(store.resolve(gone.getPath()));
        poll(manifestOf(20, gone));
        for (int i = 0; i < 30; i++) {
            now += 1_000;
            poll();
        }
        assertThat(lane().state(now).failures()).isEqualTo(31);
        now += 999;
        poll();
        assertThat(lane().state(now).failures()).isEqualTo(31);
        Files.write(store.resolve(gone.getPath()), bytes);
        now += 1;
        poll();
        assertThat(lane().live().version()).isEqualTo(20);
    }

    @Test
    void refusedManifestIsNotTriedAgain() {
        SnapshotManifest foreign = manifest(20);
        foreign.setTokenizerFingerprint("other");
        poll(foreign);
        now += 60_000;
        poll();
        assertThat(lane().state(now).failures()).isEqualTo(1);
        assertThat(lane().state(now).lastFailure()).contains("expected tokenizer tok, got other");
    }

    @Test
    void pinUnpinAndRollbackAreObeyedDirectly() {
        poll(manifest(10), manifest(20));
        command(control(Command.PIN, 10L, START));
        assertThat(lane().live().version()).isEqualTo(10);
        poll(manifest(30, START + 1));
        assertThat(lane().live().version()).isEqualTo(10);
        assertThat(lane().state(now).held()).isTrue();
        command(control(Command.UNPIN, null, START + 1));
        assertThat(lane().live().version()).isEqualTo(30);
        assertThat(lane().state(now).freshnessSamples())
                .as("held back by the pin")
                .isZero();
        command(control(Command.ROLLBACK, 20L, START + 2));
        assertThat(lane().live().version()).isEqualTo(20);
        poll(Manifests.rolledBack(40, START + 10));
        assertThat(lane().live().version()).isEqualTo(40);
    }

    @Test
    void commandForAnotherScopeOrModelIsNotObeyed() {
        poll(manifest(10), manifest(20));
        Control elsewhere = control(Command.PIN, 10L, START);
        elsewhere.setScope("other");
        command(elsewhere);
        Control otherModel = control(Command.PIN, 10L, START);
        otherModel.setModel("other");
        command(otherModel);
        assertThat(lane().live().version()).isEqualTo(20);
    }

    @Test
    void laneThatComesLateObeysEarlierCommands() {
        poll();
        Control pinAll = control(Command.PIN, 10L, START);
        pinAll.setScope(null);
        command(pinAll);
        poll(manifest(10), manifest(20));
        assertThat(lane().live().version()).isEqualTo(10);
    }

    @Test
    void pinWithoutAVersionIsSkippedAndHarmsNoLaneToCome() {
        poll();
        command(control(Command.PIN, null, START));
        command(control(Command.ROLLBACK, null, START));
        assertThat(follower.skippedRecords()).isEqualTo(2);
        poll(manifest(10));
        assertThat(lane().live().version()).isEqualTo(10);
    }

    @Test
    void loadThatAPinOvertookDoesNotGoLive() {
        poll(manifest(10));
        loadsWait = true;
        poll(manifest(20));
        command(control(Command.PIN, 10L, START));
        runWaitingLoads();
        assertThat(lane().live().version()).isEqualTo(10);
    }

    @Test
    void withdrawnVersionsAreLeft() {
        poll(manifest(10), manifest(20));
        tombstone(LANE, 20);
        assertThat(lane().live().version()).isEqualTo(10);
        assertThat(lane().state(now + 9).announcedVersion()).isEqualTo(10);
        assertThat(lane().state(now + 9).refreshAgeMillis()).isZero();
        tombstone(LANE, 10);
        assertThat(lane().live().version()).as("nothing is left to serve").isZero();
    }

    @Test
    void aWithdrawnVersionsFilesLeaveTheDiskOnceNoOtherVersionNamesThem() throws IOException {
        SegmentReference deleted = segment(store, SegmentRole.OLDER, 1, 2, 3);
        SegmentReference shared = segment(store, SegmentRole.NEWEST, 4, 5, 6);
        poll(manifestOf(10, deleted, shared));
        poll(manifestOf(20, shared));
        assertThat(cached(deleted)).as("version 10 can be gone back to").exists();
        tombstone(LANE, 10);
        assertThat(cached(deleted)).doesNotExist();
        assertThat(cached(shared)).exists();
        tombstone(LANE, 20);
        assertThat(lane().live().version()).isZero();
        follower.poll();
        assertThat(cached(shared)).doesNotExist();
    }

    @Test
    void whatNoVersionNamesAnyMoreLeavesTheDiskAtTheStartAndNotBeforeTheTopicsAreRead() throws IOException {
        SegmentReference kept = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        SegmentReference withdrawn = segment(store, SegmentRole.OLDER, 4, 5, 6);
        for (SegmentReference file : List.of(kept, withdrawn)) {
            Files.copy(store.resolve(file.getPath()), cached(file));
            Files.setLastModifiedTime(cached(file), FileTime.from(Instant.now().minus(Duration.ofMinutes(2))));
        }
        consumer.updateEndOffsets(Map.of(SNAPSHOTS, 2L, CONTROL, 0L));
        consumer.schedulePollTask(() -> put(manifestOf(10, kept)));
        follower.poll();
        assertThat(cached(withdrawn))
                .as("a manifest that is yet to come may name it")
                .exists();
        consumer.schedulePollTask(() -> put(manifestOf(20, kept)));
        follower.poll();
        assertThat(cached(withdrawn)).doesNotExist();
        assertThat(cached(kept)).exists();
    }

    private Path cached(SegmentReference segment) {
        return cache.resolve(segment.getSha256() + ".segment");
    }

    @Test
    void deletedScopeIsForgottenAtOnce() {
        poll();
        lane().finished("a", new int[] {1, 2, 3}, START + 100);
        command(control(Command.DELETE_SCOPE, null, START + 200));
        assertThat(lane().state(now).freshTokens()).isZero();
    }

    @Test
    void deletedRequestIsForgottenAtOnce() {
        poll();
        lane().finished("a", new int[] {1, 2, 3}, START + 100);
        lane().finished("b", new int[] {1, 2, 3, 4}, START + 200);
        Control delete = control(Command.DELETE_REQUEST, null, START + 300);
        delete.setRequestId("a");
        command(delete);
        assertThat(lane().state(now).freshTokens()).isEqualTo(4);
    }

    @Test
    void manifestsOfOtherModelsMakeNoLane() {
        SnapshotManifest other = manifest(10);
        other.getLane().setModel("other");
        poll(other);
        assertThat(lanes.all()).isEmpty();
    }

    @Test
    void lanesAreLimited() {
        for (int i = 0; i < 5; i++) {
            SnapshotManifest manifest = manifest(10);
            manifest.getLane().setScope("scope-" + i);
            poll(manifest);
        }
        assertThat(lanes.all()).hasSize(3);
        assertThat(lanes.refusedLanes()).isEqualTo(2);
        FollowedLane beyond = lanes.ofRequest("one-more");
        beyond.finished("a", new int[] {1, 2, 3}, now);
        assertThat(beyond.lane().scope()).isEqualTo("one-more");
        assertThat(beyond.live().followed()).isFalse();
        assertThat(beyond.live().version()).isZero();
        assertThat(beyond.state(now).freshTokens()).isZero();
        assertThat(lanes.all()).hasSize(3).allMatch(lane -> lane.live().followed());
    }

    @Test
    void recordThatCannotBeReadIsSkippedAndCounted() {
        poll();
        put(SNAPSHOTS, "k", new byte[] {1, 2, 3});
        put(CONTROL, "k", new byte[] {1, 2, 3});
        put(SNAPSHOTS, "no version", null);
        follower.poll();
        assertThat(follower.skippedRecords()).isEqualTo(3);
        poll(manifest(10));
        assertThat(lane().live().version()).isEqualTo(10);
    }

    @Test
    void missingTopicIsNamed() {
        consumer.updatePartitions(SNAPSHOTS.topic(), List.of());
        assertThatThrownBy(follower::poll).hasMessageContaining("topic p-snapshots does not exist");
    }

    private void execute(Runnable load) {
        if (loadsWait) {
            loads.add(load);
        } else {
            load.run();
        }
    }

    private void runWaitingLoads() {
        while (!loads.isEmpty()) {
            loads.remove().run();
        }
    }

    private FollowedLane lane() {
        return lanes.ofRequest(LANE.scope());
    }

    /** Announces and lets the follower read. */
    private void poll(SnapshotManifest... manifests) {
        if (consumer.assignment().isEmpty()) {
            follower.poll();
        }
        for (SnapshotManifest manifest : manifests) {
            put(manifest);
        }
        follower.poll();
    }

    private void command(Control control) {
        put(CONTROL, control.getCommandId(), RecordCodec.CONTROL.encode(control));
        follower.poll();
        follower.poll();
    }

    private void tombstone(LaneId lane, long version) {
        put(SNAPSHOTS, lane + "#" + version, null);
        follower.poll();
    }

    private void put(SnapshotManifest manifest) {
        put(
                SNAPSHOTS,
                LaneId.of(manifest.getLane()) + "#" + manifest.getVersion(),
                RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    private void put(TopicPartition topic, String key, byte[] value) {
        consumer.addRecord(
                new ConsumerRecord<>(topic.topic(), 0, nextOffset++, key.getBytes(StandardCharsets.UTF_8), value));
    }

    private void topicExists(TopicPartition topic) {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        consumer.updatePartitions(topic.topic(), List.of(new PartitionInfo(topic.topic(), 0, node, nodes, nodes)));
        consumer.updateBeginningOffsets(Map.of(topic, 0L));
        consumer.updateEndOffsets(Map.of(topic, 0L));
    }
}
