package io.tailrace.cli.fleet;

import static io.tailrace.cli.fleet.FleetRecords.announce;
import static io.tailrace.cli.fleet.FleetRecords.event;
import static io.tailrace.cli.fleet.FleetRecords.give;
import static io.tailrace.cli.fleet.FleetRecords.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.fleet.GenerationTrace.Found;
import io.tailrace.cli.fleet.GenerationTrace.Standing;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.cli.snapshots.TopicsInMemory;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import io.tailrace.schemas.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Records stand at offsets 0, 1, 2 of one partition in the order in which they are put. */
final class GenerationLookupTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");
    private static final long NOW = System.currentTimeMillis();

    private final TopicsInMemory topics = new TopicsInMemory();
    private final FleetView fleet = new FleetView();

    private void offer(String requestId) {
        topics.put(
                Topic.GENERATIONS,
                requestId,
                RecordCodec.GENERATION.encode(FleetRecords.generation(LANE, requestId, NOW - 1_000)));
    }

    private void refuse(String requestId, long offset) {
        topics.put(
                Topic.REJECTIONS,
                "generations-0-" + offset,
                RecordCodec.REJECTION.encode(FleetRecords.rejection(LANE, requestId, offset)));
    }

    private GenerationTrace trace(String requestId) {
        try (LoopTopics read = topics.openPartitionwise()) {
            return GenerationLookup.read(read, requestId, Duration.ofMinutes(1)).trace(fleet);
        }
    }

    @Test
    void anAcceptedGenerationIsHeldByTheVersionsWhoseOffsetsReachIt() {
        offer("r0");
        offer("r1");
        announce(fleet, manifest(LANE, NOW - 300, 1, 1, 0));
        announce(fleet, manifest(LANE, NOW - 200, 1, 1, 1));
        announce(fleet, manifest(LANE, NOW - 100, 1, 1, 7));
        GenerationTrace trace = trace("r1");
        assertThat(trace.isAccepted()).isTrue();
        assertThat(trace.found()).hasSize(1);
        assertThat(trace.found().get(0).standing()).isEqualTo(Standing.ACCEPTED);
        assertThat(trace.found().get(0).versions()).containsExactly(NOW - 200, NOW - 100);
        assertThat(trace.found().get(0).place()).isEqualTo("generations-0 at offset 1");
        assertThat(trace.found().get(0).tokens()).isEqualTo(3);
    }

    @Test
    void oneThatNoVersionReachesWaitsAndASecondOneIsARepeat() {
        offer("r0");
        offer("r0");
        assertThat(trace("r0").found()).extracting(Found::standing).containsExactly(Standing.WAITING, Standing.REPEAT);
    }

    @Test
    void aRefusedOneSaysWhyAndTheNextOfItsIdCounts() {
        offer("r0");
        offer("r0");
        refuse("r0", 0);
        GenerationTrace trace = trace("r0");
        assertThat(trace.found()).extracting(Found::standing).containsExactly(Standing.REJECTED, Standing.WAITING);
        assertThat(trace.found().get(0).why()).isEqualTo("TOKEN_OUT_OF_VOCABULARY: token ids must be below 1000");
    }

    @Test
    void aRefusalForAQuotaNamesNoRequestOnlyAPlace() {
        offer("r0");
        offer("r1");
        refuse(null, 0);
        refuse("r9", 1);
        announce(fleet, manifest(LANE, NOW - 100, 1, 1, 7));
        assertThat(trace("r0").found()).extracting(Found::standing).containsExactly(Standing.REJECTED);
        assertThat(trace("r1").found()).extracting(Found::standing).containsExactly(Standing.ACCEPTED);
    }

    /** Manifests number partitions of all topics: the bound one's first is not 0. */
    @Test
    void oneOfABoundTopicIsAcceptedByTheOffsetOfThatTopic() {
        String bound = "generations-acme";
        topics.put(bound, "r0", RecordCodec.GENERATION.encode(FleetRecords.generation(LANE, "r0", NOW - 1_000)));
        SnapshotManifest manifest = manifest(LANE, NOW - 100, 1, 1, 7);
        announce(fleet, manifest);
        assertThat(trace("r0").found()).extracting(Found::standing).containsExactly(Standing.WAITING);
        manifest.setSourceOffsets(List.of(new SourceOffset(BoundTopics.place("generations", bound, 0), 0L)));
        announce(fleet, manifest);
        assertThat(trace("r0").found()).extracting(Found::standing).containsExactly(Standing.ACCEPTED);
    }

    @Test
    void aRefusalIsKnownAfterItsGenerationWasForgotten() {
        refuse("r0", 40);
        GenerationTrace trace = trace("r0");
        assertThat(trace.found()).extracting(Found::standing).containsExactly(Standing.REJECTED);
        assertThat(trace.isAccepted()).isFalse();
    }

    @Test
    void aDeletedOneIsSaidToBeSoOnceTheJobHasSaidIt() {
        offer("r0");
        offer("r1");
        give(fleet, Topic.CONTROL, "c", RecordCodec.CONTROL.encode(FleetRecords.delete(LANE, "r0", NOW)));
        announce(fleet, manifest(LANE, NOW - 100, 1, 1, 7));
        assertThat(trace("r0").found()).extracting(Found::standing).containsExactly(Standing.ACCEPTED);
        Map<String, Long> done = Map.of("issuedTo", NOW);
        give(fleet, Topic.EVENTS, null, RecordCodec.EVENT.encode(event(EventKind.DELETED, LANE, "", done, 1)));
        assertThat(trace("r0").found()).extracting(Found::standing).containsExactly(Standing.DELETED);
        assertThat(trace("r1").found()).extracting(Found::standing).containsExactly(Standing.ACCEPTED);
    }

    @Test
    void oneThatIsNowhereIsUnknownAndJunkIsPassedOver() {
        topics.put(Topic.GENERATIONS, "r0", new byte[] {1, 2, 3});
        topics.put(Topic.REJECTIONS, "k", new byte[0]);
        GenerationTrace trace = trace("r0");
        assertThat(trace.found()).isEmpty();
        assertThat(trace.sentence()).contains("r0: unknown");
    }
}
