package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.MODEL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FreshFrom;
import io.tailrace.client.follow.LaneState;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.TokenIds;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdmittedTailTest {
    private static final TopicPartition SNAPSHOTS = new TopicPartition("p-snapshots", 0);
    private static final TopicPartition CONTROL = new TopicPartition("p-control", 0);
    private static final TopicPartition ADMITTED = new TopicPartition("p-admitted", 0);
    private static final long START = 1_000_000;

    @TempDir
    Path folder;

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private long now = START;
    private long nextOffset = 7;
    private ServedLanes lanes;
    private SnapshotFollower follower;

    @BeforeEach
    void follow() throws IOException {
        follow(FollowOptions.of(folder.toUri(), folder.resolve("cache")));
        topicExists(SNAPSHOTS, 0);
        topicExists(CONTROL, 0);
    }

    private void follow(FollowOptions options) throws IOException {
        lanes = new ServedLanes(MODEL, options, START);
        SnapshotLoader loader = SnapshotLoader.create(
                MODEL, SegmentStore.at(options.store()), options.cacheFolder(), options.cacheBytesMax());
        follower = new SnapshotFollower(() -> consumer, "p-", lanes, loader, options, Runnable::run, () -> now);
    }

    @Test
    void anotherWorkersAnswerIsDraftedFromOnceAndItsDelayCounts() {
        begin();
        now = START + 540;
        hear("a", START + 500, 1, 2, 3);
        hear("a", START + 500, 1, 2, 3);
        LaneState state = lane().state(now);
        assertThat(state.freshTokens()).isEqualTo(3);
        assertThat(state.heardSamples()).isEqualTo(1);
        assertThat(state.heardP50Millis()).isEqualTo(40);
        assertThat(state.freshnessSamples()).as("no snapshot has it").isZero();
    }

    @Test
    void anAnswerIsHeardWithItsSignatureAndOneWithABrokenSignatureIsSkipped() {
        begin();
        hear(LANE, "a", START, PromptSignature.of(new int[] {7, 8}).bytes(), 1, 2, 3);
        hear(LANE, "b", START, new byte[] {0, 0}, 1, 2, 3);
        LoadedSnapshot live = lane().live().lease();
        try {
            assertThat(live.index().fresh().signed())
                    .singleElement()
                    .satisfies(signed -> assertThat(signed.postings().answers()).isEqualTo(1));
        } finally {
            live.release();
        }
        assertThat(follower.skippedRecords()).isEqualTo(1);
    }

    @Test
    void anAnswerOfTheWorkersOwnIsNotTakenUpAgain() {
        begin();
        lane().finished("a", RememberedAnswer.of(new int[] {1, 2, 3}), START + 500);
        hear("a", START + 500, 1, 2, 3);
        assertThat(lane().state(now).freshTokens()).isEqualTo(3);
        assertThat(lane().state(now).heardSamples()).isZero();
    }

    @Test
    void whatAScopeAnsweredReachesItsLaneAloneAndMakesNone() {
        begin();
        ServedLane lane = lane();
        hear(new LaneId(MODEL.model(), MODEL.revision(), "another"), "a", START, 1, 2);
        hear(new LaneId("another", MODEL.revision(), LANE.scope()), "b", START, 1, 2);
        assertThat(lane.state(now).freshTokens()).isZero();
        assertThat(lanes.all()).containsExactly(lane);
        assertThat(follower.skippedRecords()).isZero();
    }

    @Test
    void whatCannotBeReadOrIsNoTokenIsSkippedAndCounted() {
        begin();
        put(ADMITTED, new byte[] {1, 2, 3});
        hear("a", START, MODEL.vocabularySize());
        hear("b", START, -1);
        hear("c", START, MODEL.vocabularySize() - 1);
        assertThat(follower.skippedRecords()).isEqualTo(3);
        assertThat(lane().state(now).freshTokens()).isEqualTo(1);
    }

    /** Its message goes into the log, where no token of anybody's may stand. */
    @Test
    void whatIsSaidOfATokenThatIsNoneDoesNotNameIt() {
        assertThatThrownBy(() -> lanes.checkTokens(new int[] {1, 4_711}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("token ids must be 0 to 99, one is not");
    }

    @Test
    void anAnswerThatWasDeletedIsNotTakenUp() {
        begin();
        Control delete = Manifests.control(Command.DELETE_REQUEST, null, START + 100);
        delete.setRequestId("a");
        lanes.command(delete);
        hear("a", START + 100, 1, 2);
        hear("b", START + 101, 3);
        assertThat(lane().state(now).freshTokens()).isEqualTo(1);
    }

    /** As a worker's that started after the delete, and met the lane after that. */
    @Test
    void anAnswerThatWasDeletedBeforeItsLaneWasKnownIsNotTakenUp() {
        Control delete = Manifests.control(Command.DELETE_REQUEST, null, START + 100);
        delete.setRequestId("a");
        lanes.command(delete);
        begin();
        hear("a", START + 100, 1, 2);
        hear("b", START + 101, 3);
        assertThat(lane().state(now).freshTokens()).isEqualTo(1);
    }

    @Test
    void theTopicIsReadFromItsEndWithoutWaitingForWhatWasBefore() {
        topicExists(ADMITTED, 7);
        lane();
        follower.poll();
        assertThat(follower.caughtUp()).isTrue();
        assertThat(consumer.position(ADMITTED)).isEqualTo(7);
        assertThat(consumer.position(SNAPSHOTS)).isZero();
    }

    @Test
    void aTopicThatIsMissingIsLookedForAgain() {
        lane();
        follower.poll();
        assertThat(follower.caughtUp()).as("snapshots are followed without it").isTrue();
        topicExists(ADMITTED, 0);
        now += AdmittedTail.LOOK_MILLIS - 1;
        follower.poll();
        assertThat(consumer.assignment()).doesNotContain(ADMITTED);
        now++;
        follower.poll();
        assertThat(consumer.assignment()).containsExactlyInAnyOrder(SNAPSHOTS, CONTROL, ADMITTED);
    }

    /** What was answered between a lane's first request and the next poll. */
    @Test
    void aLaneIsHeardFromWhereItsPartitionEndedBeforeItWasKnown() {
        topicExists(ADMITTED, 7);
        follower.poll();
        assertThat(consumer.assignment()).containsExactlyInAnyOrder(SNAPSHOTS, CONTROL);
        consumer.updateEndOffsets(Map.of(ADMITTED, 9L));
        now += AdmittedTail.LOOK_MILLIS;
        follower.poll();
        lane();
        consumer.updateEndOffsets(Map.of(ADMITTED, 11L));
        follower.poll();
        assertThat(consumer.position(ADMITTED)).isEqualTo(9);
    }

    @Test
    void theDelayOfWhatWasAnsweredBeforeItsLaneWasKnownDoesNotCount() {
        topicExists(ADMITTED, nextOffset);
        follower.poll();
        now = START + 100;
        lane();
        follower.poll();
        now = START + 540;
        hear("before", START - 1, 1, 2);
        hear("after", START + 500, 1, 2, 3);
        LaneState state = lane().state(now);
        assertThat(state.freshTokens()).isEqualTo(5);
        assertThat(state.heardSamples()).isEqualTo(1);
        assertThat(state.heardP50Millis()).isEqualTo(40);
    }

    @Test
    void aTopicThatMayNotBeReadIsLeftForAWhileAndTheOthersAreFollowed() {
        begin();
        refuse();
        assertThat(consumer.assignment()).containsExactlyInAnyOrder(SNAPSHOTS, CONTROL);
        now += AdmittedTail.LOOK_MILLIS - 1;
        follower.poll();
        assertThat(consumer.assignment()).doesNotContain(ADMITTED);
        now++;
        nextOffset += 5;
        consumer.updateEndOffsets(Map.of(ADMITTED, nextOffset));
        refuse();
        assertThat(consumer.assignment()).as("refused again").doesNotContain(ADMITTED);
        now += AdmittedTail.LOOK_MILLIS;
        follower.poll();
        assertThat(consumer.position(ADMITTED)).isEqualTo(nextOffset);
        hear("a", now, 1, 2, 3);
        assertThat(lane().state(now).freshTokens()).isEqualTo(3);
        consumer.setPollException(new TopicAuthorizationException(Set.of(SNAPSHOTS.topic())));
        assertThatThrownBy(follower::poll).isInstanceOf(TopicAuthorizationException.class);
    }

    @Test
    void whoDraftsFromOwnAnswersOnlyDoesNotReadIt() throws IOException {
        for (FollowOptions options : List.of(
                FollowOptions.of(folder.toUri(), folder).withFreshFrom(FreshFrom.OWN),
                FollowOptions.of(folder.toUri(), folder).withFreshTokensMax(0))) {
            follow(options);
            begin();
            assertThat(consumer.assignment()).containsExactlyInAnyOrder(SNAPSHOTS, CONTROL);
        }
    }

    private void refuse() {
        consumer.setPollException(new TopicAuthorizationException(Set.of(ADMITTED.topic())));
        follower.poll();
    }

    private void begin() {
        topicExists(ADMITTED, nextOffset);
        lane();
        follower.poll();
    }

    private ServedLane lane() {
        return lanes.ofRequest(LANE.scope());
    }

    private void hear(String request, long completedAt, int... tokens) {
        hear(LANE, request, completedAt, tokens);
    }

    private void hear(LaneId lane, String request, long completedAt, int... tokens) {
        hear(lane, request, completedAt, new byte[0], tokens);
    }

    private void hear(LaneId lane, String request, long completedAt, byte[] signature, int... tokens) {
        RequestHash hash = RequestHash.of(request);
        AdmittedAnswer answer = new AdmittedAnswer(
                lane.toLane(),
                hash.high(),
                hash.low(),
                List.of(),
                ByteBuffer.wrap(signature),
                TokenIds.toList(tokens),
                Instant.ofEpochMilli(completedAt));
        put(ADMITTED, RecordCodec.ADMITTED_ANSWER.encode(answer));
        follower.poll();
    }

    private void put(TopicPartition topic, byte[] value) {
        consumer.addRecord(new ConsumerRecord<>(topic.topic(), 0, nextOffset++, new byte[0], value));
        follower.poll();
    }

    private void topicExists(TopicPartition topic, long end) {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        consumer.updatePartitions(topic.topic(), List.of(new PartitionInfo(topic.topic(), 0, node, nodes, nodes)));
        consumer.updateBeginningOffsets(Map.of(topic, 0L));
        consumer.updateEndOffsets(Map.of(topic, end));
    }
}
