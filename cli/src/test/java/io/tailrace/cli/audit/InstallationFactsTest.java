package io.tailrace.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.snapshots.TopicsInMemory;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InstallationFactsTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");

    private final TopicsInMemory topics = new TopicsInMemory();

    private InstallationFacts read() {
        return InstallationFacts.read(topics.openPartitionwise(), false, Set.of());
    }

    private void announce(long version, long epoch, SourceOffset... offsets) {
        SnapshotManifest manifest = AuditRecords.manifest(LANE, version);
        manifest.setEpoch(epoch);
        manifest.setSourceOffsets(List.of(offsets));
        topics.put(Topic.SNAPSHOTS, LANE + "#" + version, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    /** @param lane null: the admission's account */
    private void account(LaneId lane, long epoch, Map<String, Long> numbers) {
        topics.put(Topic.EVENTS, "k", AuditRecords.account(lane, epoch, numbers));
    }

    private void delete(long issuedAt) {
        topics.put(Topic.CONTROL, "c", AuditRecords.delete("acme", issuedAt));
    }

    private void offer(String topic, String requestId, int... tokens) {
        Generation generation = Generation.newBuilder()
                .setRequestId(requestId)
                .setLane(LANE.toLane())
                .setProducer("a test")
                .setResponse(TokenIds.toList(tokens))
                .setStartedAt(Instant.EPOCH)
                .setCompletedAt(Instant.EPOCH)
                .build();
        topics.put(topic, requestId, RecordCodec.GENERATION.encode(generation));
    }

    /** @param requestId null: for a quota */
    private void reject(String requestId, long offset) {
        Rejection rejection = new Rejection(
                requestId == null ? RejectionReason.QUOTA_EXCEEDED : RejectionReason.SCOPE_NOT_ALLOWED,
                "a test",
                "generations",
                0,
                offset,
                requestId,
                LANE.toLane(),
                null,
                Instant.EPOCH);
        topics.put(Topic.REJECTIONS, "k", RecordCodec.REJECTION.encode(rejection));
    }

    private Finding answers(Map<TokensHash, Integer> held, boolean complete, boolean flowing) {
        InstallationFacts facts = InstallationFacts.read(topics.openPartitionwise(), true, new HashSet<>());
        return new LaneAudit(facts.lanes().iterator().next()).answers(held, complete, flowing);
    }

    private static TokensHash hash(int... tokens) {
        return TokensHash.of(tokens);
    }

    @Test
    void whatWasRejectedForAQuotaIsNotMissed() {
        account(LANE, 1, Map.of());
        offer("generations", "r0", 5);
        offer("generations", "r1", 6);
        reject(null, 1);
        assertThat(answers(Map.of(hash(5), 1), true, false).result()).isEqualTo(Finding.Result.OK);
        assertThat(answers(Map.of(hash(6), 1), true, false).result())
                .as("the other one is missing")
                .isEqualTo(Finding.Result.FAILED);
    }

    @Test
    void whatIsSentAgainAfterItsRejectionCounts() {
        account(LANE, 1, Map.of());
        offer("generations", "r0", 5);
        reject("r0", 0);
        offer("generations", "r0", 5);
        assertThat(answers(Map.of(hash(5), 1), true, false).result()).isEqualTo(Finding.Result.OK);
        assertThat(answers(Map.of(), true, false).result()).isEqualTo(Finding.Result.FAILED);
    }

    /** The topic was deleted and created again: rejections are kept for longer than it was there. */
    @Test
    void aRejectionOfAnotherRecordAtThePlaceIsNoneOfThisOne() {
        account(LANE, 1, Map.of());
        reject("r0", 0);
        offer("generations", "r1", 5);
        assertThat(answers(Map.of(hash(5), 1), true, false).result()).isEqualTo(Finding.Result.OK);
    }

    /** Manifests number partitions of all topics: the bound one's first is not 0. */
    @Test
    void anAnswerOfABoundTopicThatTheVersionWasToldOfIsMissed() {
        String bound = "generations-acme";
        announce(10, 1, new SourceOffset(BoundTopics.place("generations", bound, 0), 0L));
        account(LANE, 1, Map.of());
        offer(bound, "r0", 5);
        offer(bound, "r1", 6);
        assertThat(answers(Map.of(hash(5), 1), true, true).result())
                .as("r1 is behind it")
                .isEqualTo(Finding.Result.OK);
        assertThat(answers(Map.of(), true, true).result()).isEqualTo(Finding.Result.FAILED);
    }

    /** It would be the newest version, or of the latest epoch, for ever. */
    @Test
    void whatNoReaderTakesIsNoFact() {
        announce(10, 1);
        announce(11, Epochs.MAX + 1);
        announce(Long.MAX_VALUE, 1);
        announce(12, 1);
        account(LANE, Long.MAX_VALUE, Map.of("recordsAdmitted", 1L));
        account(null, Long.MAX_VALUE, Map.of("recordsRejected", 1_000L));
        account(LANE, 1, Map.of("recordsAdmitted", 5L));
        account(null, 1, Map.of("recordsRejected", 2L));
        InstallationFacts facts = read();
        assertThat(facts.lanes())
                .singleElement()
                .satisfies(lane -> assertThat(lane.versions().keySet()).containsExactly(10L, 12L));
        assertThat(facts.account().read()).isEqualTo(7);
        assertThat(topics.warnings()).hasSize(1);
    }

    @Test
    void theNewestAccountOfTheLatestEpochCounts() {
        account(null, 1, Map.of("recordsRejected", 1L, "recordsLost", 10L));
        account(null, 2, Map.of("recordsRejected", 2L, "recordsLost", 20L));
        account(null, 1, Map.of("recordsRejected", 9L, "recordsLost", 90L));
        InstallationFacts facts = read();
        assertThat(facts.account().read()).isEqualTo(2);
        assertThat(facts.account().lost()).isEqualTo(20);
    }

    /** Without keys anybody may write events. The real accounts would be of an earlier epoch for as long as the topic keeps it. */
    @Test
    void anEpochThatNoJobHasClaimedIsNoFact() {
        topics.put(Topic.CONTROL, "a", AuditRecords.claim("a"));
        topics.put(Topic.CONTROL, "b", AuditRecords.claim("b"));
        account(LANE, Epochs.MAX, Map.of("recordsAdmitted", 1L));
        account(null, 3, Map.of("recordsRejected", 1_000L));
        account(LANE, 2, Map.of("recordsAdmitted", 5L));
        account(null, 2, Map.of("recordsRejected", 2L));
        InstallationFacts facts = InstallationFacts.read(topics.openPartitionwise(), false, Set.of());
        assertThat(facts.account().read()).isEqualTo(7);
        assertThat(facts.readable().detail()).startsWith("2 records").contains("is of no job");
    }

    @Test
    void whatADeleteIsSaidToBeDoneUntilIsSaidAnewByTheNextAccount() {
        delete(20_000);
        topics.put(Topic.EVENTS, "k", AuditRecords.deleted(LANE, Long.MAX_VALUE));
        assertThat(waiting()).isZero();
        account(LANE, 1, Map.of("deletedTo", 19_999L));
        assertThat(waiting()).isOne();
    }

    /** Topic control keeps a delete for ever, topic events the event that it is done for a week. */
    @Test
    void deletesAreDoneThatTheNewestAccountSaysAreDone() {
        delete(20_000);
        account(LANE, 1, Map.of("deletedTo", 19_999L));
        assertThat(waiting()).isOne();
        account(LANE, 2, Map.of("deletedTo", 20_000L));
        assertThat(waiting()).isZero();
    }

    private int waiting() {
        return InstallationFacts.read(topics.openPartitionwise(), false, Set.of())
                .lanes()
                .iterator()
                .next()
                .deletesWaiting()
                .size();
    }
}
