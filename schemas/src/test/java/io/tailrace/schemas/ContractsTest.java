package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ContractsTest {
    @Test
    void aLaneReadsBackFromItsText() {
        LaneId lane = new LaneId("meta-llama/Llama 3@home", "r/1", "tenant α/β..");
        assertThat(LaneId.parse(lane.toString())).isEqualTo(lane);
        assertThat(LaneId.of(lane.toLane())).isEqualTo(lane);
        assertThat(lane.toString()).isEqualTo("meta-llama%2FLlama+3%40home@r%2F1/tenant+%CE%B1%2F%CE%B2..");
    }

    @Test
    void aLaneCannotWalkTheStoresFolders() {
        assertThat(new LaneId("m", "r", "..").toString()).isEqualTo("m@r/%2E%2E");
        assertThat(LaneId.parse("m@r/%2E%2E").scope()).isEqualTo("..");
    }

    @Test
    void emptyOrOverlongPartsAreRefused() {
        assertThatThrownBy(() -> new LaneId("", "r", "s")).hasMessageContaining("model must have 1 to 200");
        assertThatThrownBy(() -> new LaneId("m", "r", "s".repeat(201))).hasMessageContaining("got 201");
        assertThatThrownBy(() -> LaneId.parse("no lane")).hasMessageContaining("model@revision/scope");
    }

    /** Written down both would be "?": one lane's text in another one's drafts. */
    @Test
    void halfOfACharacterIsNoName() {
        for (String half : new String[] {"\ud800", "\udc00", "a\udc00\ud800", "\ud83d\ud83d\ude00"}) {
            assertThatThrownBy(() -> new LaneId("m", "r", half))
                    .hasMessage("scope must be text, and has half of a character");
        }
        assertThat(LaneId.parse("m@r/\ud83d\ude00").scope()).isEqualTo("\ud83d\ude00");
    }

    @Test
    void requestsSpreadEvenlyOverShards() {
        int[] counts = new int[8];
        for (int i = 0; i < 80_000; i++) {
            counts[RequestHash.of("request-" + i).shard(8)]++;
        }
        assertThat(Arrays.stream(counts).boxed()).allMatch(count -> count > 9_500 && count < 10_500);
        assertThat(RequestHash.of("request-1")).isEqualTo(RequestHash.of("request-1"));
    }

    @Test
    void tokenIdsSurviveTheRoundTrip() throws Exception {
        int[] ids = new Random(7).ints(1_000, 0, Integer.MAX_VALUE).toArray();
        Generation generation = Samples.generation();
        generation.setResponse(TokenIds.toList(ids));
        List<Integer> read = RecordCodec.GENERATION
                .decode(RecordCodec.GENERATION.encode(generation))
                .getResponse();
        assertThat(TokenIds.toArray(read)).isEqualTo(ids);
        assertThat(TokenIds.toArray(Arrays.asList(3, 1, 2))).containsExactly(3, 1, 2);
    }

    @Test
    void topicsSayHowTheyAreCleanedUp() {
        assertThat(Topic.SNAPSHOTS.settings())
                .containsEntry("cleanup.policy", "compact")
                .containsEntry("segment.ms", "600000");
        assertThat(Topic.CONTROL.settings()).containsEntry("retention.ms", "-1");
        assertThat(Topic.ADMITTED.settings())
                .as("a file is closed, so that it can be removed, within the time that it is kept")
                .containsEntry("retention.ms", "600000")
                .containsEntry("segment.ms", "600000");
        assertThat(Topic.GENERATIONS.name("staging-")).isEqualTo("staging-generations");
        assertThat(Topic.values())
                .allSatisfy(topic -> assertThat(topic.partitions()).isPositive());
    }

    /** Whoever writes a record may have any clock. */
    @Test
    void recordsBearTheTimeAtWhichTheBrokersTookThem() {
        assertThat(Topic.values())
                .allSatisfy(
                        topic -> assertThat(topic.settings()).containsEntry("message.timestamp.type", "LogAppendTime"));
    }

    @Test
    void whatDecidesWhatIsServedIsSigned() {
        assertThat(Topic.values())
                .filteredOn(Topic::isSigned)
                .containsExactlyInAnyOrder(Topic.SNAPSHOTS, Topic.CONTROL, Topic.EVENTS);
    }

    @Test
    void aSilentWorkerIsNotCountedAnyMoreBeforeItIsTakenToBeGone() {
        long now = 1_000_000;
        assertThat(WorkerPresence.isLive(now - 15_000, now)).isTrue();
        assertThat(WorkerPresence.isLive(now - 15_001, now)).isFalse();
        assertThat(WorkerPresence.isGone(now - 60_000, now)).isFalse();
        assertThat(WorkerPresence.isGone(now - 60_001, now)).isTrue();
        assertThat(WorkerPresence.LIVE_MILLIS_MAX).isGreaterThan(2 * WorkerPresence.REPORT_MILLIS_MAX);
    }
}
